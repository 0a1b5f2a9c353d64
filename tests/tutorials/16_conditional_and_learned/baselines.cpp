// How much the estimates of REINFORCE scatter, in chapter 16.
#include "tutorials/16_conditional_and_learned/baselines.hpp"

#include <doctest/doctest.h>

#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::chapter16;
using namespace attend::test;

namespace {

const Tensor scores = numbers({0.3, -1, 0.5, 0, 0, 2}, {2, 3}), rewards = numbers({1, 0, 0, 0.5, -1, 3}, {2, 3});

Tensor row(const Tensor& x, Size i) { return reshape(slice(x, 0, i, 1), {3}); }

}  // namespace

TEST_CASE("the variance is the mean over the choices, each with a baseline of its own") {
  for (const BaselineKind& one : baseline_kinds()) {
    const Baseline kind = one.kind;
    CAPTURE(one.name);
    double expected = 0;
    for (Size i = 0; i < 2; ++i) {
      const double b = baseline(kind, row(scores, i), row(rewards, i));
      check_close(baselines(kind, scores, rewards).at({i}), b, 0);
      expected += estimate_variance(row(scores, i), row(rewards, i), b) / 2;
    }
    check_close(exact_variance(kind, scores, rewards), expected, 1e-15);
  }
}

TEST_CASE("draws have the exact variance and mean, with every baseline") {
  Rng rng(6);
  for (const BaselineKind& one : baseline_kinds()) {
    const Baseline kind = one.kind;
    CAPTURE(one.name);
    const Scatter found = scatter(kind, scores, rewards, 20000, rng);
    check_close(found.variance, exact_variance(kind, scores, rewards), 0, 0.05);
    CHECK(found.standard_errors < 4);
  }
}

TEST_CASE("the mean reward is that of the policy") {
  const Tensor even = numbers({0, 0, 0}, {1, 3}), of_each = numbers({1, 2, 6}, {1, 3});
  check_close(mean_reward(even, of_each), 3, 1e-15);
}
