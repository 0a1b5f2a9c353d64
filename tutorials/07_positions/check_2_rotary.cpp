// The check of exercise 2: shape, tiny numbers, properties, differences.
#include <cmath>
#include <functional>

#include "nn/position/rotary.hpp"
#include "tensor/kernels.hpp"
#include "tensor/random.hpp"
#include "tutorials/07_positions/exercise_2_rotary.hpp"
#include "tutorials/07_positions/geometry.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"

using namespace attend;
using namespace attend::chapter07;
using namespace attend::lesson;

namespace {

constexpr Size B = 2, T = 5, d = 6;

RotaryInputs inputs_of(const Var& query, const Var& key, const Var& value) {
  const Turns turn = turns(query.shape()[1], query.shape()[2]);
  return {query, key, value, Var(turn.cosine), Var(turn.sine)};
}

RotaryInputs random_inputs() {
  Rng rng(1);
  const auto draw = [&] { return Var::parameter(rng.normal({B, T, d}, 0, 1, DType::float64)); };
  const Var query = draw(), key = draw(), value = draw();
  return inputs_of(query, key, value);
}

// The example that the page works out on paper: one pair, three positions, all tokens alike.
RotaryInputs on_paper() {
  const auto rows = [](const std::vector<double>& values) {
    return Var(Tensor::from(values, {1, 3, 2}, DType::float64));
  };
  return inputs_of(rows({1, 0, 1, 0, 1, 0}), rows({1, 0, 1, 0, 1, 0}), rows({10, 0, 20, 0, 30, 0}));
}

Var weights_of(const Var& q, const Var& k, Size axis = -1) {
  return softmax(matmul(q, transpose(k)) / std::sqrt(static_cast<double>(q.shape().back())), axis);
}

// With the rotary of the library, which tests compare with plain loops.
Attended expected_of(const RotaryInputs& in) {
  const Var weights = weights_of(rotary(in.query), rotary(in.key));
  return {matmul(weights, in.value), weights};
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

// What becomes of the even and the odd columns of x.
using PairRule = std::function<Vars(const Var& even, const Var& odd, const Var& cosine, const Var& sine)>;

Var turned_by(const PairRule& rule, const Var& x, const RotaryInputs& in) {
  const Size n = x.shape().back() / 2;
  return reshape(stack(rule(slice(x, -1, 0, n, 2), slice(x, -1, 1, n, 2), in.cosine, in.sine), -1), x.shape());
}

Vars backwards(const Var& a, const Var& b, const Var& cosine, const Var& sine) {
  return {a * cosine + b * sine, b * cosine - a * sine};
}
Vars written_over(const Var& a, const Var& b, const Var& cosine, const Var& sine) {
  const Var first = a * cosine - b * sine;
  return {first, first * sine + b * cosine};
}
Vars no_minus(const Var& a, const Var& b, const Var& cosine, const Var& sine) {
  return {a * cosine + b * sine, a * sine + b * cosine};
}

Var turned_in_halves(const Var& x, const RotaryInputs& in) {
  const Size n = x.shape().back() / 2;
  const Var a = slice(x, -1, 0, n), b = slice(x, -1, n, n);
  return concat({a * in.cosine - b * in.sine, a * in.sine + b * in.cosine}, -1);
}

struct Suspect {
  std::function<Var(const RotaryInputs&)> weights;
  std::string bug;
};

std::vector<Suspect> suspects() {
  const auto both_by = [](const PairRule& rule) {
    return [rule](const RotaryInputs& in) {
      return weights_of(turned_by(rule, in.query, in), turned_by(rule, in.key, in));
    };
  };
  return {
      {[](const RotaryInputs& in) { return weights_of(in.query, in.key); },
       "neither queries nor keys are turned: the order of the tokens has no part in the weights."},
      {[](const RotaryInputs& in) { return weights_of(rotary(in.query), in.key); },
       "the keys are not turned. Query at p and key at s then meet at the angle p, and not p − s."},
      {[](const RotaryInputs& in) { return weights_of(in.query, rotary(in.key)); },
       "the queries are not turned. Query at p and key at s then meet at the angle −s, and not p − s."},
      {[](const RotaryInputs& in) { return weights_of(rotary(in.query), turned_by(backwards, in.key, in)); },
       "queries and keys are turned against each other, so that a product depends on the sum of the two positions. "
       "Turn both the same way: the product takes the difference by itself."},
      {both_by(backwards),
       "both are turned backwards: the minus belongs to the even columns, x[2i] cos − x[2i+1] sin."},
      {[](const RotaryInputs& in) { return weights_of(turned_in_halves(in.query, in), turned_in_halves(in.key, in)); },
       "i is paired with i + d/2. Many libraries do so, and it works as well; the paper pairs neighbours, and a model "
       "that was trained with one cannot be used with the other."},
      {both_by(written_over),
       "the even columns are written over before the odd ones are made: y[2i+1] takes x[2i], and got y[2i]."},
      {both_by(no_minus), "the minus is missing: without it the pair is not turned, and its length changes."},
      {[](const RotaryInputs& in) { return softmax(matmul(rotary(in.query), transpose(rotary(in.key)))); },
       "the scale is missing: divide the products by √d (chapter 04)."},
      {[](const RotaryInputs& in) { return weights_of(rotary(in.query), rotary(in.key), 1); },
       "every COLUMN of the weights sums to 1: softmax ran over axis 1, the queries."},
  };
}

std::string likely_bug(const RotaryAnswer& answer) {
  const RotaryInputs in = random_inputs();
  const auto look = [&](const Attended& given) -> std::string {
    const Tensor weights = given.weights.value(), context = given.context.value();
    for (const Suspect& suspect : suspects()) {
      if (close(weights, suspect.weights(in).value())) return suspect.bug;
    }
    if (close(context, matmul(given.weights, rotary(in.value)).value())) {
      return "the values are turned, too. What is handed over then depends on where it stood, and tokens that are "
             "alike "
             "no longer say the same.";
    }
    if (close(context, matmul(given.weights, in.key).value())) return "the keys were summed, and not the values.";
    return "";
  };
  return likely_bug_of([&] { return answer.attention(in); }, look, "Turn (1, 0) by 90 degrees: it must become (0, 1).");
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shape(const RotaryAnswer& answer, Steps& steps) {
  const std::string expected = "weights [2, 5, 5], context [2, 5, 6]";
  expect_shapes(
      steps, "query, key and value [2, 5, 6]", expected, [&] { return shape_of(answer.attention(random_inputs())); },
      [&] { return likely_bug(answer); });
}

std::string row_of(const Tensor& x, Size i) { return listed(select(select(Var(x), 0, 0), 0, i).value()); }

// Of position 1: at position 0 nothing is turned.
std::string second_rows(const Tensor& wanted, const Tensor& given) {
  return "\nexpected: " + row_of(wanted, 1) + "\nyours:    " + row_of(given, 1);
}

void check_numbers(const RotaryAnswer& answer, Steps& steps) {
  const RotaryInputs small = on_paper();
  const Tensor found = answer.attention(small).weights.value(), wanted = expected_of(small).weights.value();
  if (!close(found, wanted)) {
    throw Mistake("The weights of position 1 in the page's example:" + second_rows(wanted, found), likely_bug(answer));
  }
  steps.passed("the example on paper: 1 looks at 0, 1 and 2 with " + row_of(found, 1));

  const RotaryInputs large = random_inputs();
  const Attended given = answer.attention(large), right = expected_of(large);
  if (!close(given.weights.value(), right.weights.value())) {
    throw Mistake("The example comes out right, random numbers do not. The second row of the weights:" +
                      second_rows(right.weights.value(), given.weights.value()),
                  likely_bug(answer));
  }
  if (!close(given.context.value(), right.context.value())) {
    throw Mistake("The weights are right. The second row of the context:" +
                      second_rows(right.context.value(), given.context.value()),
                  likely_bug(answer));
  }
  steps.passed("random numbers, three pairs");
}

void check_properties(const RotaryAnswer& answer, Steps& steps) {
  Rng rng(2);
  const auto alike = [&] { return broadcast_to(Var(rng.normal({1, 1, d}, 0, 1, DType::float64)), {1, T, d}); };
  const Var query = alike(), key = alike();
  const Tensor weights = answer.attention(inputs_of(query, key, key)).weights.value();
  // Of tokens that are all alike, the ratio of two neighbours' weights depends on their distances alone.
  const auto ratio = [&](Size i, Size j) { return weights.at({0, i, j + 1}) / weights.at({0, i, j}); };
  if (std::fabs(ratio(0, 1) - ratio(2, 3)) > 1e-9) {
    throw Mistake("Tokens that are all alike: 0 sees 1 and 2 otherwise than 2 sees 3 and 4.", likely_bug(answer));
  }
  steps.passed("properties: the same distances, the same weights in proportion");
}

void check_differences(const RotaryAnswer& answer, Steps& steps) {
  const RotaryInputs in = random_inputs();
  if (!answer.attention(in).weights.needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches queries and keys: the weights have no history.",
                  likely_bug(answer));
  }
  expect_gradients(
      steps, "rotary attention", [&](const Vars& x) { return answer.attention(inputs_of(x[0], x[1], x[2])).context; },
      {in.query.value(), in.key.value(), in.value.value()}, [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/07_positions/exercise_2_rotary.cpp", rotary_answers(),
                       {check_shape, check_numbers, check_properties, check_differences});
}
