// The check of exercise 3: shape, tiny numbers, large ones, differences.
#include <cmath>

#include "tensor/random.hpp"
#include "tutorials/02_soft_weights/exercise_3_large.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"

using namespace attend;
using namespace attend::chapter02;
using namespace attend::lesson;

namespace {

Tensor rows(const std::vector<double>& numbers, Size n) {
  return Tensor::from(numbers, {n, static_cast<Size>(numbers.size()) / n}, DType::float64);
}

// Softmax of the library, which tests compare with plain loops.
Tensor expected_of(const Tensor& scores) { return softmax(Var(scores), -1).value(); }

// By small scores, two rows of three.
std::string bug_in_the_formula(const Tensor& found, const Var& scores) {
  const auto is = [&](const Var& other) { return close(found, other.value()); };
  if (is(softmax(scores, 0))) return "the COLUMNS sum to 1: all of it went along axis 0.";
  if (is(exp(scores - max(scores, {-1}, true)))) return "the shares are not divided by their sum.";
  if (is(softmax(scores / max(scores, {-1}, true)))) {
    return "scores are divided by the largest, which changes their differences; take it off.";
  }
  if (is(softmax(scores - max(scores, {0}, true)))) {
    return "the largest of each column is taken off; a row loses its own, the same from each of its scores.";
  }
  return "";
}

std::string likely_bug(const LargeAnswer& answer) {
  const auto of = [&](const std::vector<double>& numbers, Size n) {
    return answer.softmax_of(Var(rows(numbers, n))).value();
  };
  const auto right = [&](const std::vector<double>& numbers, Size n) {
    return close(of(numbers, n), expected_of(rows(numbers, n)));
  };
  const std::vector<double> small = {2, 1, 0, 5, 5, 1}, large = {1002, 1001, 1000};
  const auto look = [&](const Var& found) -> std::string {
    if (!right(small, 2)) return bug_in_the_formula(found.value(), Var(rows(small, 2)));
    if (std::isnan(of(large, 1).to_vector()[0])) return "exp(1000) is infinite, and ∞ / ∞ is NaN.";
    if (!right(large, 1)) return "large scores are cut off, so those above look all alike.";
    if (!right({0, 0, 0, 0, 3000, 0}, 1)) return "the mean is taken off; the largest can lie far above it.";
    if (!right({1000, 999, -1000, -1001}, 2)) {
      return "the largest of all rows is taken off: in a row far below it every share is 0.";
    }
    return "";
  };
  return likely_bug_of([&] { return answer.softmax_of(Var::parameter(rows(small, 2))); }, look,
                       "What may each row lose without any change of its weights?");
}

void check_shapes(const LargeAnswer& answer, Steps& steps) {
  expect_shapes(
      steps, "scores [2, 3]", "[2, 3]",
      [&] {
        return shape_of(answer.softmax_of(Var(rows({2, 1, 0, 5, 5, 1}, 2))));
      },
      [&] { return likely_bug(answer); });
}

void expect(const LargeAnswer& answer, const std::vector<double>& numbers, Size n) {
  const Tensor found = answer.softmax_of(Var(rows(numbers, n))).value();
  const Tensor wanted = expected_of(rows(numbers, n));
  if (close(found, wanted)) return;
  throw Mistake(
      "Scores:   " + listed(rows(numbers, n)) + "\nexpected: " + listed(wanted) + "\nyours:    " + listed(found),
      likely_bug(answer));
}

void check_numbers(const LargeAnswer& answer, Steps& steps) {
  expect(answer, {2, 1, 0, 5, 5, 1}, 2);
  steps.passed("small scores");
  expect(answer, {1002, 1001, 1000}, 1);
  expect(answer, {0, 0, 0, 0, 3000, 0}, 1);
  expect(answer, {-1000, -1001, -1002}, 1);
  steps.passed("large scores, one that is far above, and scores far below 0");
  expect(answer, {1000, 999, -1000, -1001}, 2);
  expect(answer, {0, 1000, 1000, 0}, 2);
  steps.passed("rows of different sizes");
}

void check_gradients(const LargeAnswer& answer, Steps& steps) {
  Rng rng(1);
  expect_gradients(
      steps, "softmax", [&](const Vars& in) { return answer.softmax_of(in[0]); },
      {rng.normal({3, 4}, 0, 1, DType::float64)}, [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/02_soft_weights/exercise_3_large.cpp", large_answers(),
                       {check_shapes, check_numbers, check_gradients});
}
