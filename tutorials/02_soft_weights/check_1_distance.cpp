// The check of exercise 1: shape, tiny numbers, properties, differences.
#include <cmath>
#include <functional>

#include "tutorials/02_soft_weights/choice.hpp"
#include "tutorials/02_soft_weights/exercise_1_distance.hpp"
#include "tutorials/02_soft_weights/regression.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter02;
using namespace attend::lesson;

namespace {

using In = DistanceInputs;

struct AllSizes {
  Size n, m, d, dv;
};
constexpr AllSizes different{3, 4, 2, 5}, equal_sizes{3, 3, 3, 3};

In random_inputs(const AllSizes& sizes, double width = 0.8) {
  Rng rng(1);
  const auto draw = [&](const Shape& shape) { return Var::parameter(rng.normal(shape, 0, 1, DType::float64)); };
  In in;
  in.query = draw({sizes.n, sizes.d});
  in.key = draw({sizes.m, sizes.d});
  in.value = draw({sizes.m, sizes.dv});
  in.width = width;
  return in;
}

// The example that the page works out on paper.
In on_paper(double width) {
  const auto column = [](const std::vector<double>& x) {
    return Var(Tensor::from(x, {static_cast<Size>(x.size()), 1}, DType::float64));
  };
  return {column({0.5}), column({0, 1, 2}), column({10, 20, 30}), width};
}

Attended expected_of(const In& in) { return distance_attention(in.query, in.key, in.value, in.width); }

// ---- the usual mistakes -------------------------------------------------------------------------------------------

struct Suspect {
  std::function<Var(const In&)> weights;
  std::string bug;
};

Var apart(const In& in) { return unsqueeze(in.query, 1) - unsqueeze(in.key, 0); }
Var squares(const In& in) { return sum(apart(in) * apart(in), {-1}); }
Var scores(const In& in) { return squares(in) / (-2 * in.width * in.width); }

std::vector<Suspect> suspects() {
  return {
      {[](const In& in) { return softmax(-scores(in)); },
       "the sign is turned: without the minus the farthest key has the largest score."},
      {[](const In& in) { return softmax(scores(in) * 2.0); }, "the 2 is missing below the square: −|q − k|² / 2h²."},
      {[](const In& in) { return softmax(scores(in) * in.width); }, "h is not squared: −|q − k|² / 2h²."},
      {[](const In& in) { return softmax(scores(in) * std::pow(in.width, 4)); },
       "the squares are multiplied with h², so that a larger width makes the weights harder; they are to be divided."},
      {[](const In& in) { return softmax(squares(in) / -2.0); }, "h has no part in the scores."},
      {[](const In& in) { return softmax(sqrt(squares(in)) / (-2 * in.width * in.width)); },
       "the distances are not squared. That is another kernel (Laplace's), with a tip in the middle."},
      {[](const In& in) {
         const Var sums = sum(apart(in), {-1});
         return softmax(sums * sums / (-2 * in.width * in.width));
       },
       "the differences were summed before they were squared, and cancel: square first."},
      {[](const In& in) { return softmax(matmul(in.query, transpose(in.key)) / (in.width * in.width)); },
       "these are dot products. They do the same only when all keys have one length."},
      {[](const In& in) { return softmax(scores(in), 0); },
       "every COLUMN of the weights sums to 1: softmax ran over the queries and not over the keys."},
      {[](const In& in) { return scores(in); }, "the weights are the scores themselves: softmax is missing."},
      {[](const In& in) { return exp(scores(in)); },
       "these are the kernel's values; nothing divides by their sum, so they share out no whole. softmax does both."},
      {[](const In& in) { return Var(hard_choice(scores(in).value())); },
       "this is a hard choice: the nearest key has everything, and no slope leads to a better one."},
  };
}

std::string likely_bug(const DistanceAnswer& answer) {
  const In in = random_inputs(equal_sizes);
  const auto look = [&](const Attended& given) -> std::string {
    const Tensor weights = given.weights.value();
    for (const Suspect& suspect : suspects()) {
      if (close(weights, suspect.weights(in).value())) return suspect.bug;
    }
    if (close(weights, softmax(transpose(scores(in))).value())) {
      return "the new axes have changed places: that of the queries belongs behind theirs, [n, 1, d], that of the keys "
             "in "
             "front, [1, m, d].";
    }
    if (close(given.context.value(), matmul(given.weights, in.key).value())) {
      return "the keys were summed. They decide where to look; the values are what is seen.";
    }
    return "";
  };
  return likely_bug_of([&] { return answer.attention(in); }, look);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shape(const DistanceAnswer& answer, Steps& steps) {
  const In in = random_inputs(different);
  const Shape weights{different.n, different.m}, context{different.n, different.dv};
  const std::string expected = "weights " + text(weights) + ", context " + text(context);
  expect_shapes(
      steps, "query " + text(in.query.shape()) + ", key " + text(in.key.shape()) + ", value " + text(in.value.shape()),
      expected, [&] { return shape_of(answer.attention(in)); }, [&] { return likely_bug(answer); });
}

void check_numbers(const DistanceAnswer& answer, Steps& steps) {
  for (const double width : {1.0, 0.5}) {
    const In in = on_paper(width);
    const Attended given = answer.attention(in), expected = expected_of(in);
    if (!close(given.weights.value(), expected.weights.value())) {
      throw Mistake("The weights of the page's example, q = 0.5, k = 0, 1, 2, h = " + fixed(width, 1) +
                        ":\nexpected: " + listed(expected.weights.value()) +
                        "\nyours:    " + listed(given.weights.value()),
                    likely_bug(answer));
    }
    if (!close(given.context.value(), expected.context.value())) {
      throw Mistake("The weights of the page's example are right. The context of the values 10, 20, 30 is " +
                        listed(expected.context.value()) + "; yours is " + listed(given.context.value()) + ".",
                    likely_bug(answer));
    }
  }
  steps.passed("the example on paper, with the widths 1 and 0.5");

  const In in = random_inputs(different);
  const Tensor found = answer.attention(in).context.value();
  const Tensor loops = kernel_regression(in.query.value(), in.key.value(), in.value.value(), in.width);
  if (!close(found, loops)) {
    throw Mistake("The example on paper comes out right, where a key is one number. With two, the first context is " +
                      fixed(found.at({0, 0}), 4) + ", expected " + fixed(loops.at({0, 0}), 4) + ".",
                  likely_bug(answer));
  }
  steps.passed("random numbers, against the formula of 1964 in plain loops");
}

void check_properties(const DistanceAnswer& answer, Steps& steps) {
  const In in = random_inputs(different), narrow = random_inputs(different, 1e-3), wide = random_inputs(different, 1e6);
  if (!sums_to_one(answer.attention(in).weights.value(), 1)) {
    throw Mistake("The weights of a query do not sum to 1.", likely_bug(answer));
  }
  if (!close(answer.attention(narrow).weights.value(), hard_choice(scores(narrow).value()))) {
    throw Mistake("With h = 0.001 the nearest key does not have all the weight.", likely_bug(answer));
  }
  if (!close(answer.attention(wide).weights.value(), Tensor::full({3, 4}, 0.25, DType::float64))) {
    throw Mistake("With h = 1,000,000 the four keys do not weigh the same.", likely_bug(answer));
  }
  steps.passed("properties: rows sum to 1; h → 0 takes the nearest; h → ∞ takes the mean");
}

void check_differences(const DistanceAnswer& answer, Steps& steps) {
  const In in = random_inputs(different);
  if (!answer.attention(in).weights.needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches queries and keys: the weights have no history.",
                  likely_bug(answer));
  }
  expect_gradients(
      steps, "attention by distance",
      [&](const Vars& x) {
        return answer.attention({x[0], x[1], x[2], in.width}).context;
      },
      {in.query.value(), in.key.value(), in.value.value()}, [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/02_soft_weights/exercise_1_distance.cpp", distance_answers(),
                       {check_shape, check_numbers, check_properties, check_differences});
}
