#include "nn/attention/hard.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tensor/kernels.hpp"
#include "tests/nn/layers.hpp"

using namespace attend;
using namespace attend::test;

namespace {

const Tensor scores = numbers({0.5, -1, 1.5, 0}, {4}), rewards = numbers({1, 3, 0.5, -2}, {4});

// The mean of n estimates from one draw each, and the variance of one.
struct Estimates {
  std::vector<double> mean;
  std::vector<double> square;
};

Estimates estimates(double baseline, Size n) {
  Rng rng(12);
  const Tensor p = softmax(Var(scores)).value();
  const std::vector<std::int64_t> draws = draw(broadcast_to(p, {n, 4}), rng).to_ints();
  Estimates found{std::vector<double>(4), std::vector<double>(4)};
  for (std::int64_t a : draws) {
    for (Size i = 0; i < 4; ++i) {
      const double g = (rewards.at({a}) - baseline) * ((i == a ? 1 : 0) - p.at({i}));
      found.mean[static_cast<std::size_t>(i)] += g / static_cast<double>(n);
      found.square[static_cast<std::size_t>(i)] += g * g / static_cast<double>(n);
    }
  }
  for (std::size_t i = 0; i < 4; ++i) found.square[i] -= found.mean[i] * found.mean[i];
  return found;
}

}  // namespace

TEST_CASE("reinforce has the gradient (R − b) ∇ log p, averaged over the draws") {
  const Var leaf = Var::parameter(scores);
  const Tensor chosen = Tensor::from_ints({2, 0, 2}, {3}), p = softmax(leaf).value();
  const Tensor got = numbers({0.5, 1, 0.5}, {3});
  const Var g = grad(reinforce(take(log_softmax(leaf), 0, chosen), got, 0.25), {leaf})[0];
  std::vector<double> expected(4);
  for (Size n = 0; n < 3; ++n) {
    const Size a = chosen.to_ints()[static_cast<std::size_t>(n)];
    for (Size i = 0; i < 4; ++i) {
      expected[static_cast<std::size_t>(i)] += (got.at({n}) - 0.25) * ((i == a ? 1 : 0) - p.at({i})) / 3;
    }
  }
  check_close(g, {4}, expected, 1e-15);
}

TEST_CASE("the mean of the estimates is the enumerated gradient within 4 standard errors, with every baseline") {
  const Size n = 20000;
  const Var leaf = Var::parameter(scores);
  const Tensor exact = grad(expected_reward(leaf, rewards), {leaf})[0].value();
  for (Baseline kind : {Baseline::none, Baseline::mean, Baseline::optimal}) {
    const double b = baseline(kind, scores, rewards);
    CAPTURE(b);
    const Estimates found = estimates(b, n);
    double variance = 0;
    for (Size i = 0; i < 4; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double error = std::sqrt(found.square[at] / static_cast<double>(n));
      CHECK(std::abs(found.mean[at] - exact.at({i})) < 4 * error);
      variance += found.square[at];
    }
    check_close(variance, estimate_variance(scores, rewards, b), 0, 0.05);
  }
}

TEST_CASE("the optimal baseline has the least variance, and the mean reward may have more than none") {
  const auto variance = [](Baseline kind, const Tensor& s, const Tensor& r) {
    return estimate_variance(s, r, baseline(kind, s, r));
  };
  // One good arm that is nearly always drawn: then |g|² is small just where the reward is large.
  const Tensor sure = numbers({3, 0, 0}, {3}), one_good = numbers({1, 0, 0}, {3});
  CHECK(variance(Baseline::none, sure, one_good) < variance(Baseline::mean, sure, one_good));
  CHECK(variance(Baseline::optimal, sure, one_good) < variance(Baseline::none, sure, one_good));
  // Rewards far from 0: the mean helps.
  const Tensor high = numbers({10, 11, 12}, {3});
  CHECK(variance(Baseline::mean, sure, high) < variance(Baseline::none, sure, high));
  CHECK(variance(Baseline::optimal, sure, high) < variance(Baseline::mean, sure, high));
}

TEST_CASE("draws have the probabilities that they are made by, and none has the probability 0") {
  Rng rng(5);
  const Size n = 20000;
  const Tensor p = numbers({0, 0.2, 0.5, 0, 0.3, 0}, {6});
  double counts[6] = {};
  for (std::int64_t a : draw(broadcast_to(p, {n, 6}), rng).to_ints()) ++counts[a];
  for (Size i = 0; i < 6; ++i) {
    const double expected = p.at({i});
    const double error = std::sqrt(expected * (1 - expected) / static_cast<double>(n));
    CHECK(std::abs(counts[i] / static_cast<double>(n) - expected) <= 4 * error);
  }
  CHECK(draw(Tensor::zeros({2, 3}), rng).to_ints() == std::vector<std::int64_t>{0, 0});
}

TEST_CASE("hard attention returns the values that were drawn, and the logarithm of their softmax weights") {
  Rng rng(5);
  const Tensor q = random({2, 3, 4, 2}), k = random({2, 3, 5, 2}, DType::float64, 2),
               v = random({2, 3, 5, 3}, DType::float64, 3);
  const HardAttended found = hard_attention(q, k, v, rng);
  CHECK(found.chosen.shape() == Shape{2, 3, 4});
  std::vector<double> values, logs;
  for (Size row = 0; row < 24; ++row) {
    const Size b = row / 12, h = row / 4 % 3, i = row % 4;
    const Size a = static_cast<Size>(found.chosen.at({b, h, i}));
    for (Size c = 0; c < 3; ++c) values.push_back(v.at({b, h, a, c}));
    double total = 0, of_chosen = 0;
    for (Size j = 0; j < 5; ++j) {
      const double score =
          (q.at({b, h, i, 0}) * k.at({b, h, j, 0}) + q.at({b, h, i, 1}) * k.at({b, h, j, 1})) / std::sqrt(2.0);
      total += std::exp(score);
      of_chosen = j == a ? score : of_chosen;
    }
    logs.push_back(of_chosen - std::log(total));
  }
  check_close(found.context, {2, 3, 4, 3}, values, 0);
  check_close(found.log_probability, {2, 3, 4}, logs, 1e-14);
}

TEST_CASE("hard attention draws no masked key, and a query that may attend to nothing gets 0 and no derivative") {
  Rng rng(5);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Var q = Var::parameter(random({2, 1, 50, 2}));
  const Tensor there = reshape(padding_mask({2, 0}, 50).visible_keys(), {2, 1, 50, 1});
  const Tensor k = kernel::where(there, random({2, 1, 50, 2}), Tensor::full({}, nan, DType::float64));
  const HardAttended found = hard_attention(q, k, k, rng, padding_mask({2, 0}, 50));
  for (Size i = 0; i < 50; ++i) CHECK(found.chosen.at({0, 0, i}) < 2);
  check_agree(slice(found.context, 0, 1, 1), Tensor::zeros({1, 1, 50, 2}, DType::float64), 0);
  check_agree(slice(found.log_probability, 0, 1, 1), Tensor::zeros({1, 1, 50}, DType::float64), 0);
  const Var g = random_gradients(found.log_probability, {q})[0];
  CHECK(kernel::all_finite(g.value()));
  check_agree(slice(g, 0, 1, 1), Tensor::zeros({1, 1, 50, 2}, DType::float64), 0);
}

TEST_CASE("hard attention refuses what is no probability, no draw and no single choice") {
  Rng rng(5);
  check_throws_with([&] { draw(numbers({0.5, -0.5}, {2}), rng); }, {"draw", "-0.5"});
  check_throws_with([&] { draw(Tensor::zeros({2, 0}), rng); }, {"draw", "[2, 0]"});
  check_throws_with([&] { reinforce(random({3}), random({2})); }, {"reinforce", "[3]", "[2]"});
  check_throws_with([&] { reinforce(random({0}), random({0})); }, {"reinforce", "[0]"});
  check_throws_with([&] { expected_reward(random({2, 2}), random({2, 2})); }, {"expected_reward", "[2, 2]"});
  check_throws_with([&] { baseline(Baseline::mean, random({3}), random({2})); }, {"baseline", "[2]"});
  check_throws_with([&] { estimate_variance(random({3}), random({2}), 0); }, {"estimate_variance", "[2]"});
  const Var x = random({1, 3, 2});
  check_throws_with([&] { hard_attention(x, x, x, rng); }, {"hard attention", "[1, 3, 2]"});
}

TEST_CASE("a choice that is certain has a finite baseline of every kind, and no variance") {
  const Tensor certain = numbers({1000, 0}, {2}), rewarded = numbers({3, 1}, {2});
  for (const Baseline kind : {Baseline::mean, Baseline::optimal}) {
    CHECK(baseline(kind, certain, rewarded) == 3);
    CHECK(estimate_variance(certain, rewarded, baseline(kind, certain, rewarded)) == 0);
  }
  CHECK(baseline(Baseline::optimal, Tensor::zeros({1}, DType::float64), Tensor::ones({1}, DType::float64)) == 1);
}
