// Regression within a context, of chapter 16.
#include "tutorials/16_conditional_and_learned/in_context.hpp"

#include <doctest/doctest.h>

#include "tensor/difference.hpp"
#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::chapter16;
using namespace attend::test;

namespace {

Regressions some(Size tasks, const RegressionKind& kind = {}) {
  Rng rng(2);
  return draw_regressions(tasks, kind, rng, DType::float64);
}

}  // namespace

TEST_CASE("all answers of a task come from one w, which least squares finds") {
  const Regressions tasks = some(50);
  check_agree(least_squares(tasks), tasks.answers, 1e-9);
  CHECK(kernel::max(kernel::abs(tasks.x), {0, 1, 2}, false).item() <= 1);
  CHECK(kernel::max(kernel::abs(some(50, {2}).x), {0, 1, 2}, false).item() > 1.9);
}

TEST_CASE("bent answers have a mean near 0 and nothing that is linear") {
  const Regressions tasks = some(20000, {1, true});
  check_close(mean(Var(tasks.answers)).item(), 0, 0.06);
  check_close(rate_of(tasks.answers, tasks), 0, 0.1);  // that of w · x is 2
}

TEST_CASE("one step is the gradient of the squared error, in plain loops") {
  const Regressions tasks = some(3);
  const double rate = 0.7;
  std::vector<double> expected;
  for (Size b = 0; b < 3; ++b) {
    double answer = 0;
    for (Size c = 0; c < x_size; ++c) {
      double w = 0;
      for (Size i = 0; i < examples_of_a_task; ++i) w += rate / 10 * tasks.y.at({b, i, 0}) * tasks.x.at({b, i, c});
      answer += w * tasks.asked.at({b, 0, c});
    }
    expected.push_back(answer);
  }
  check_close(after_one_step(tasks, rate), {3, 1, 1}, expected, 1e-14);
}

TEST_CASE("the rate of a step is found from its answers, and no other rate is better than the best") {
  const Regressions tasks = some(500);
  check_close(rate_of(after_one_step(tasks, 1.3), tasks), 1.3, 1e-12);
  const BestStep best = best_step(tasks);
  for (const double other : {best.rate - 0.1, best.rate + 0.1}) {
    CHECK(squared_error(after_one_step(tasks, other), tasks.answers) > best.error);
  }
}

TEST_CASE("the best step on paper is that of many tasks") {
  const BestStep paper = best_step_on_paper(), measured = best_step(some(40000));
  check_close(paper.rate, 2.027027, 1e-6);
  check_close(paper.error, 0.540541, 1e-6);
  check_close(measured.rate, paper.rate, 0.03);
  check_close(measured.error, paper.error, 0.02);
}

TEST_CASE("the layer that is trained, with built weights, does one step") {
  Rng rng(1);
  OneLayer one(false, rng);
  one.layer = gradient_descent_attention(Tensor::zeros({x_size, 1}, DType::float64), examples_of_a_task, 1.7);
  const Regressions tasks = some(20);
  check_agree(one(tasks), after_one_step(tasks, 1.7), 1e-14);
}

TEST_CASE("training lowers the loss, with a softmax and without, and is the same again") {
  for (const bool with_softmax : {false, true}) {
    std::vector<double> losses;
    const auto learn = [&] {
      return learn_in_context(with_softmax, 200, 3, [&](Size, double loss) { losses.push_back(loss); });
    };
    const Vars a = parameters(learn()), b = parameters(learn());
    CHECK(losses[199] < 0.95 * losses[0]);
    CHECK(same_bits(a, b));
  }
}
