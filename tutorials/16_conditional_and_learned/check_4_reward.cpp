// The check of exercise 4: shapes, tiny numbers, properties, the mean over all draws against the exact gradient.
#include <cmath>
#include <functional>

#include "autograd/grad.hpp"
#include "nn/attention/hard.hpp"
#include "tensor/kernels.hpp"
#include "tutorials/16_conditional_and_learned/exercise_4_reward.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"

using namespace attend;
using namespace attend::chapter16;
using namespace attend::lesson;

namespace {

Tensor numbers(const std::vector<double>& values) {
  return Tensor::from(values, {static_cast<Size>(values.size())}, DType::float64);
}

const Tensor scores = numbers({0.4, -0.3, 0.9});
const Tensor chosen = Tensor::from_ints({2, 0, 2, 1}, {4});
const Tensor rewards = numbers({1, 0.5, 1.5, -2});

Tensor gradient(const RewardAnswer& answer, const Tensor& draws, const Tensor& of_draws) {
  const Var at = Var::parameter(scores);
  const Var number = answer.objective(at, draws, of_draws);
  return has_history(number) ? grad(number, {at})[0].value() : Tensor::zeros(scores.shape(), DType::float64);
}

// The gradient with some baseline for each draw, divided by `over`, from ∇ log p(a) = e_a − p.
Tensor by_hand(const std::function<double(Size i)>& baseline, double over) {
  const Tensor p = kernel::softmax(scores);
  std::vector<double> g(3, 0);
  for (Size i = 0; i < chosen.size(); ++i) {
    const Size a = chosen.to_ints()[static_cast<std::size_t>(i)];
    for (Size c = 0; c < 3; ++c) {
      g[static_cast<std::size_t>(c)] += (rewards.at({i}) - baseline(i)) * ((a == c ? 1.0 : 0.0) - p.at({c})) / over;
    }
  }
  return numbers(g);
}

double total() { return kernel::sum(rewards, {0}, false).item(); }
double of_others(Size i) { return (total() - rewards.at({i})) / 3; }
Tensor right() { return by_hand(of_others, 4); }

// What p in the place of log p gives: the gradient of p is p times that of log p.
Tensor without_logarithm() {
  const Tensor p = kernel::softmax(scores);
  std::vector<double> g(3, 0);
  for (Size i = 0; i < chosen.size(); ++i) {
    const Size a = chosen.to_ints()[static_cast<std::size_t>(i)];
    for (Size c = 0; c < 3; ++c) {
      g[static_cast<std::size_t>(c)] +=
          (rewards.at({i}) - of_others(i)) * p.at({a}) * ((a == c ? 1.0 : 0.0) - p.at({c})) / 4;
    }
  }
  return numbers(g);
}

std::string bug_of(const RewardAnswer& answer, const Var& given) {
  if (given.rank() != 0) return "there is one number for each draw. Take the mean over them.";
  const Tensor g = gradient(answer, chosen, rewards);
  const auto is = [&](const Tensor& wrong) { return close(g, wrong); };
  if (is(by_hand([](Size) { return total() / 4; }, 4))) {
    return "each draw has a part in its own baseline: the estimate is too small by (n − 1) / n. Leave it out.";
  }
  if (is(by_hand([](Size) { return 0.0; }, 4))) return "there is no baseline: right on average, but it scatters.";
  if (is(by_hand(of_others, -4))) return "the wrong sign: making this number larger makes rewarded choices rarer.";
  if (is(without_logarithm())) return "there is no logarithm: ∇ E[R] = E[R ∇ log p], not E[R ∇ p].";
  if (is(by_hand(of_others, 1))) return "it is the sum over the draws, not the mean.";
  if (is(by_hand([](Size i) { return (total() - rewards.at({i})) / 4; }, 4))) {
    return "the rewards of the others are divided by n; they are n − 1.";
  }
  return "";
}

std::string likely_bug(const RewardAnswer& answer) {
  return likely_bug_of([&] { return answer.objective(Var::parameter(scores), chosen, rewards); },
                       [&](const Var& given) { return bug_of(answer, given); });
}

void check_shapes(const RewardAnswer& answer, Steps& steps) {
  expect_shapes(
      steps, "scores [3], chosen [4], rewards [4]", text(Shape{}),
      [&] { return shape_of(answer.objective(Var::parameter(scores), chosen, rewards)); },
      [&] { return likely_bug(answer); });
}

void check_numbers(const RewardAnswer& answer, Steps& steps) {
  const Tensor given = gradient(answer, chosen, rewards);
  if (!close(given, right())) {
    throw Mistake("gradient from four draws\nexpected: " + listed(right()) + "\nyours:    " + listed(given),
                  likely_bug(answer));
  }
  steps.passed("the gradient from four draws");
}

void check_properties(const RewardAnswer& answer, Steps& steps) {
  const Tensor same = gradient(answer, chosen, numbers({7, 7, 7, 7}));
  if (largest_difference(same, Tensor::zeros({3}, DType::float64)) > 1e-12) {
    throw Mistake("all rewards are 7, and it still moves: " + listed(same), likely_bug(answer));
  }
  const Tensor more = gradient(answer, chosen, kernel::affine(rewards, 1, 100));
  if (!close(more, gradient(answer, chosen, rewards))) {
    throw Mistake("100 more for every draw changes the gradient.", likely_bug(answer));
  }
  steps.passed("properties: what all draws get alike does not count");
}

// The mean over all pairs of draws, each with its probability, is the exact gradient: no estimate is off on average.
void check_mean(const RewardAnswer& answer, Steps& steps) {
  const Tensor of_choice = numbers({1, 0, 3}), p = kernel::softmax(scores);
  Tensor expected = Tensor::zeros({3}, DType::float64);
  for (Size a = 0; a < 3; ++a) {
    for (Size b = 0; b < 3; ++b) {
      const Tensor got = numbers({of_choice.at({a}), of_choice.at({b})});
      const Tensor g = gradient(answer, Tensor::from_ints({a, b}, {2}), got);
      expected = kernel::blend(1, expected, p.at({a}) * p.at({b}), g);
    }
  }
  const Var at = Var::parameter(scores);
  const Tensor exact = grad(expected_reward(at, of_choice), {at})[0].value();
  if (!close(expected, exact)) {
    throw Mistake("mean over all pairs of draws\nexpected: " + listed(exact) + "\nyours:    " + listed(expected),
                  likely_bug(answer));
  }
  steps.passed("gradients: their mean over all pairs of draws is the exact one");
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/16_conditional_and_learned/exercise_4_reward.cpp", reward_answers(),
                       {check_shapes, check_numbers, check_properties, check_mean});
}
