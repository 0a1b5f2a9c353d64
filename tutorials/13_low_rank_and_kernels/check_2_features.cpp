// The check of exercise 2: shapes, tiny numbers, properties, gradients, training.
#include <cmath>

#include "autograd/grad.hpp"
#include "nn/loss.hpp"
#include "nn/optimizer.hpp"
#include "tensor/random.hpp"
#include "tutorials/13_low_rank_and_kernels/exercise_2_features.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter13;
using namespace attend::lesson;

namespace {

constexpr Size T = 3, d = 3, m = 5;

struct Inputs {
  Var q, w;
  Inputs() {
    Rng rng(1);
    q = Var::parameter(rng.normal({T, d}, 0, 1, DType::float64));
    w = Var(rng.normal({m, d}, 0, 1, DType::float64));
  }
};

// exp(w · x − share · |measured|²) · factor with x = q / scale: what is right, and the usual mistakes.
struct Form {
  double scale = std::pow(double{d}, 0.25), share = 0.5, factor = 1 / std::sqrt(double{m});
};
Var formed(const Inputs& in, const Form& form = {}) {
  const Var x = in.q / form.scale;
  return form.factor * exp(matmul(x, transpose(in.w)) - form.share * sum(x * x, {1}, true));
}

std::string bug_of(const Var& given) {
  const Inputs in;
  if (given.shape() == Shape{m, T})
    return "the result is the other way round: a row is a position, a column a direction.";
  if (given.shape() != Shape{T, m}) return "";
  const Form right;
  const Var x = in.q / right.scale, along = matmul(x, transpose(in.w)), square = sum(x * x, {1}, true);
  const Var exponent = along - 0.5 * square;
  struct Suspect {
    Var result;
    std::string bug;
  };
  const std::vector<Suspect> suspects = {
      {formed(in, {1, right.share, right.factor}), "the division by d^¼ is missing: φ(q) · φ(k) is exp(q · k) so."},
      {formed(in, {std::sqrt(double{d}), right.share, right.factor}),
       "q is divided by √d. Both sides are divided, so each takes half of that: d^¼."},
      {formed(in, {right.scale, 0, right.factor}), "|x|² / 2 is missing in the exponent."},
      {formed(in, {right.scale, 1, right.factor}), "the half of |x|² / 2 is missing."},
      {formed(in, {right.scale, -0.5, right.factor}), "|x|² / 2 is added to the exponent; it is taken off."},
      {right.factor * exp(along - 0.5 * sum(in.q * in.q, {1}, true)), "|x|² / 2 is that of q and not of x = q / d^¼."},
      {right.factor * exp(along - 0.5 * sqrt(square)), "it is the square |x|² that is taken off, not the length |x|."},
      {right.factor * exp(along - 0.5 / double{d} * square), "|x|² is the sum of the squares, not their mean."},
      {formed(in, {right.scale, right.share, 1}), "1 / √m is missing: the sum over the directions is no mean so."},
      {formed(in, {right.scale, right.share, 1 / double{m}}),
       "1 / m stands on both sides, and makes 1 / m² of the mean. Each takes 1 / √m."},
      {right.factor * exp(exponent - max(exponent, {1}, true)),
       "the largest exponent of each row is taken off. For queries that would cancel in the quotient, for keys it does "
       "not; here nothing is taken off."},
  };
  for (const Suspect& suspect : suspects) {
    if (close(given.value(), suspect.result.value())) return suspect.bug;
  }
  return "";
}

std::string likely_bug(const FeaturesAnswer& answer) {
  const Inputs in;
  return likely_bug_of([&] { return answer.features(in.q, in.w); }, bug_of);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shapes(const FeaturesAnswer& answer, Steps& steps) {
  const Inputs in;
  expect_shapes(
      steps, "q " + text(Shape{T, d}) + ", w " + text(Shape{m, d}), text(Shape{T, m}),
      [&] { return shape_of(answer.features(in.q, in.w)); }, [&] { return likely_bug(answer); });
}

void check_numbers(const FeaturesAnswer& answer, Steps& steps) {
  const Inputs in;
  const Tensor wanted = formed(in).value(), given = answer.features(in.q, in.w).value();
  if (!close(given, wanted)) {
    throw Mistake(fill("position 0 gets\nexpected: {}\nyours:    {}",
                       {listed(slice(wanted, 0, 0, 1)), listed(slice(given, 0, 0, 1))}),
                  likely_bug(answer));
  }
  steps.passed("three positions, five directions");
}

// On average over many directions the products of features are the weights of softmax attention.
void check_properties(const FeaturesAnswer& answer, Steps& steps) {
  constexpr Size width = 16, directions = 20000;
  Rng rng(2);
  const Var x(rng.normal({T, width}, 0, 0.5, DType::float64)), w(rng.normal({directions, width}, 0, 1, DType::float64));
  const Var features = answer.features(x, w);
  const Tensor found = matmul(features, transpose(features)).value(),
               wanted = exp(matmul(x, transpose(x)) / 4.0).value();
  for (Size i = 0; i < T; ++i) {
    for (Size j = 0; j < T; ++j) {
      if (std::abs(found.at({i, j}) / wanted.at({i, j}) - 1) < 0.2) continue;
      throw Mistake(
          fill("20,000 directions: φ(x{}) · φ(x{}) is {}, exp(x{} · x{} / √d) is {}.",
               {count(i), count(j), fixed(found.at({i, j}), 3), count(i), count(j), fixed(wanted.at({i, j}), 3)}),
          likely_bug(answer));
    }
  }
  steps.passed("properties: over 20,000 directions φ(x) · φ(y) comes to exp(x · y / √d)");
}

void check_gradients(const FeaturesAnswer& answer, Steps& steps) {
  const Inputs in;
  if (!answer.features(in.q, in.w).needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches the inputs.", likely_bug(answer));
  }
  expect_gradients(
      steps, "positive features", [&](const Vars& x) { return answer.features(x[0], in.w); }, {in.q.value()},
      [&] { return likely_bug(answer); });
}

// Queries learn the products with fixed keys that other queries have.
void check_training(const FeaturesAnswer& answer, Steps& steps) {
  struct Queries {
    Var q;
    void parameters(const Visit& visit) { visit("q", q); }
  };
  const Inputs in;
  Rng rng(3);
  const Tensor keys = rng.normal({T, d}, 0, 1, DType::float64);
  const Var fk = answer.features(keys, in.w).value();
  const auto products = [&](const Var& q) { return matmul(answer.features(q, in.w), transpose(fk)); };
  const Tensor wanted = products(in.q).value();
  Queries model{Var::parameter(rng.normal({T, d}, 0, 1, DType::float64))};
  const auto loss = [&] { return mean_squared_error(products(model.q), wanted); };
  expect_training(steps, model, Adam(0.1), 200, loss, 0.1, "queries learn the weights that others have",
                  [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/13_low_rank_and_kernels/exercise_2_features.cpp", features_answers(),
                       {check_shapes, check_numbers, check_properties, check_gradients, check_training});
}
