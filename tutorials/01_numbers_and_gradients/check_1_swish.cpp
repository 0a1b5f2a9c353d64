// The check of exercise 1: shape, tiny numbers, properties, differences, differences of the gradient.
#include <cmath>

#include "autograd/grad.hpp"
#include "autograd/gradcheck.hpp"
#include "autograd/ops.hpp"
#include "tensor/random.hpp"
#include "tutorials/01_numbers_and_gradients/exercise_1_swish.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/gradients.hpp"

using namespace attend;
using namespace attend::chapter01;
using namespace attend::lesson;

namespace {

Var number(double value) { return Var::parameter(Tensor::from({value}, {}, DType::float64)); }

bool near(double a, double b) { return std::fabs(a - b) < 1e-9; }

double sigma(double x) { return 1 / (1 + std::exp(-x)); }
double swish_value(double x) { return x * sigma(x); }
double slope(double x) { return sigma(x) + x * sigma(x) * (1 - sigma(x)); }

// What the rule returns for one number x and a cotangent g.
double pulled_back(const SwishAnswer& answer, double x, double g) {
  const Var leaf = number(x);
  return grad(answer.swish(leaf), {leaf}, number(g))[0].item();
}

void check_shape(const SwishAnswer& answer, Steps& steps) {
  const Var x = Var::parameter(Tensor::ones({2, 3}, DType::float64));
  const Var y = answer.swish(x);
  if (y.shape() != x.shape()) {
    throw Mistake("Of x " + text(x.shape()) + " swish is " + text(y.shape()) + ".",
                  "swish works element by element, and the result has another shape than x.");
  }
  steps.passed("shape: of x [2, 3] it is [2, 3]");
}

void check_values(const SwishAnswer& answer, Steps& steps) {
  for (double x : {0.0, 1.0, -2.0}) {
    const double y = answer.swish(number(x)).item();
    if (near(y, swish_value(x))) continue;
    throw Mistake("swish(" + fixed(x, 0) + ") is " + fixed(y, 4) + ", expected " + fixed(swish_value(x), 4) + ".",
                  near(y, sigma(x)) ? "the value is σ(x) alone, without the factor x."
                                    : "the value, which the starter had right, was changed.");
  }
  steps.passed("values at 0, 1 and -2");
}

// A slope that is wrong at x = 1, where the usual wrong formulas all differ, tells which of them was used.
std::string likely_bug(double found, double x) {
  const double s = sigma(x), y = swish_value(x);
  if (near(found, 0)) return "the rule still returns 0.";
  if (near(found, -slope(x))) return "the sign is the wrong way round.";
  if (near(found, s)) return "the second term of the product rule is missing: x times the slope of σ.";
  if (near(found, x * s * (1 - s))) return "the first term of the product rule is missing: σ(x) times the slope of x.";
  if (near(found, s * s * (1 - s)) || near(found, s * (1 - s))) {
    return "that is the product of the two slopes; the slope of a product is a sum of two terms.";
  }
  if (near(found, s + x * y * (1 - y))) return "the output of swish stands where σ(x) belongs: σ' = σ (1 − σ).";
  return "none of the usual ones. Write down the slope of x · σ(x) term by term and compare.";
}

void check_slope(const SwishAnswer& answer, Steps& steps) {
  const double x = 2;
  const double with_1 = pulled_back(answer, x, 1), with_10 = pulled_back(answer, x, 10);
  if (!near(with_1, 0) && near(with_1, with_10)) {
    throw Mistake("At x = 2 the rule gives " + fixed(with_1, 4) + " for g = 1 and for g = 10.",
                  "the rule does not use g. The cotangent that comes in is multiplied with the slope.");
  }
  for (double at : {x, 0.0, -1.0}) {
    const double found = pulled_back(answer, at, 1);
    if (near(found, slope(at))) continue;
    throw Mistake("At x = " + fixed(at, 0) + " and g = 1 the rule gives " + fixed(found, 4) + ", expected " +
                      fixed(slope(at), 4) + ".",
                  likely_bug(found, at));
  }
  if (!near(with_10, 10 * slope(x))) {
    throw Mistake(
        "At x = 2 the rule gives " + fixed(with_10, 4) + " for g = 10, expected " + fixed(10 * slope(x), 4) + ".",
        "the rule must be linear in g: ten times the cotangent, ten times the result.");
  }
  steps.passed("slopes at 2, 0 and -1, and ten times as much for g = 10");
}

void check_differences(const SwishAnswer& answer, Steps& steps) {
  Rng rng(1);
  const Tensor x = rng.normal({2, 3}, 0, 2, DType::float64);
  const auto f = [&](const Vars& v) { return answer.swish(v[0]); };
  GradcheckOptions options;
  options.order = 1;
  const GradcheckReport first = gradcheck("swish", f, {x}, options);
  if (!first.passed())
    throw Mistake(first.text() + first_wrong(first),
                  "right at single numbers, wrong in a tensor: which axes does the rule touch?");
  steps.passed("gradient against differences, random cotangent: error " + significant(first.worst(), 1));
  options.order = 2;
  const GradcheckReport second = gradcheck("swish", f, {x}, options);
  if (!second.passed()) {
    throw Mistake(
        "The gradient is right, and the gradient of the gradient is not:\n" + second.text() + first_wrong(second),
        "something in the rule cuts the history: .value(), .item() or detach. A rule is written in ops on Vars.");
  }
  steps.passed("the gradient of the gradient: error " + significant(second.worst(), 1));
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/01_numbers_and_gradients/exercise_1_swish.cpp", swish_answers(),
                       {check_shape, check_values, check_slope, check_differences});
}
