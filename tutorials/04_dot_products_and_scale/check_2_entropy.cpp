// The check of exercise 2: shape, the page's numbers, weights of 0, limits, differences.
#include <cmath>

#include "tensor/random.hpp"
#include "tutorials/04_dot_products_and_scale/exercise_2_entropy.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"

using namespace attend;
using namespace attend::chapter04;
using namespace attend::lesson;

namespace {

Tensor on_paper() { return Tensor::from({4, 2, 0, 2, 1, 0}, {2, 3}, DType::float64); }
Tensor far_apart() { return Tensor::from({0, 1000}, {1, 2}, DType::float64); }

// −Σ p log p in plain loops, weights of 0 left out.
Tensor expected_of(const Tensor& scores) {
  const Size n = scores.shape()[0], m = scores.shape()[1];
  std::vector<double> entropies;
  for (Size i = 0; i < n; ++i) {
    double largest = scores.at({i, 0}), total = 0, entropy = 0;
    for (Size j = 0; j < m; ++j) largest = std::max(largest, scores.at({i, j}));
    for (Size j = 0; j < m; ++j) total += std::exp(scores.at({i, j}) - largest);
    for (Size j = 0; j < m; ++j) {
      const double p = std::exp(scores.at({i, j}) - largest) / total;
      if (p > 0) entropy -= p * std::log(p);
    }
    entropies.push_back(entropy);
  }
  return Tensor::from(entropies, {n}, DType::float64);
}

std::string bug_in_the_formula(const Tensor& found, const Var& scores) {
  const Var p = softmax(scores), log_p = log_softmax(scores);
  const auto is = [&](const Var& other) { return close(found, other.value()); };
  const Var right = -sum(p * log_p, {-1});
  if (is(-right)) return "the minus is missing: logarithms of weights are negative, an entropy is not.";
  if (is(right / std::log(2.0))) return "that is in bits, with the logarithm to base 2.";
  if (is(-sum(softmax(scores, 0) * log_softmax(scores, 0), {0}))) return "all of it went along axis 0, over the rows.";
  if (is(right / 3.0)) return "that is the mean over the weights; entropy is their sum.";
  if (is(-sum(log_p, {-1}))) return "the logarithms are not weighted: each is to be multiplied with its p.";
  if (is(-sum(p * scores, {-1}))) return "those are the scores themselves, not the logarithms of the weights.";
  if (is(unsqueeze(right, 1))) return "the result still has an axis of size 1; a sum over {-1} alone drops it.";
  if (largest_difference(found, right.value()) < 1e-4) return "something is added inside the logarithm.";
  return "";
}

std::string likely_bug(const EntropyAnswer& answer) {
  const auto look = [&](const Var& found) -> std::string {
    if (!close(found.value(), expected_of(on_paper()))) return bug_in_the_formula(found.value(), Var(on_paper()));
    if (std::isnan(answer.entropy(Var(far_apart())).value().to_vector()[0])) {
      return "a weight of 0 makes 0 · (−∞): its logarithm must come from the scores.";
    }
    return "";
  };
  return likely_bug_of([&] { return answer.entropy(Var::parameter(on_paper())); }, look);
}

void check_shapes(const EntropyAnswer& answer, Steps& steps) {
  expect_shapes(
      steps, "scores [2, 3]", "[2]", [&] { return shape_of(answer.entropy(Var(on_paper()))); },
      [&] { return likely_bug(answer); });
}

void expect(const EntropyAnswer& answer, const Tensor& scores) {
  const Tensor found = answer.entropy(Var(scores)).value(), wanted = expected_of(scores);
  if (close(found, wanted)) return;
  throw Mistake("Scores:   " + listed(scores) + "\nexpected: " + listed(wanted) + "\nyours:    " + listed(found),
                likely_bug(answer));
}

void check_numbers(const EntropyAnswer& answer, Steps& steps) {
  expect(answer, on_paper());
  steps.passed("the page's scores, without the scale and with it: 0.4411 and 0.8324");
  expect(answer, far_apart());
  steps.passed("a weight of 0 adds nothing");
  expect(answer, Tensor::zeros({1, 64}, DType::float64));
  steps.passed("64 keys that weigh the same: log 64");
}

void check_gradients(const EntropyAnswer& answer, Steps& steps) {
  Rng rng(1);
  expect_gradients(
      steps, "entropy", [&](const Vars& in) { return answer.entropy(in[0]); },
      {rng.normal({3, 4}, 0, 1, DType::float64)}, [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/04_dot_products_and_scale/exercise_2_entropy.cpp", entropy_answers(),
                       {check_shapes, check_numbers, check_gradients});
}
