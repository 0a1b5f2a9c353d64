// The check of exercise 1: shape, tiny numbers, properties, differences.
#include <cmath>
#include <functional>

#include "nn/attention/multi_head.hpp"
#include "tensor/random.hpp"
#include "tutorials/06_many_heads/exercise_1_heads.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"

using namespace attend;
using namespace attend::chapter06;
using namespace attend::lesson;

namespace {

constexpr Size B = 2, T = 5, heads = 3, d = 4, E = heads * d;  // all different

struct Inputs {
  Var Q, K, V;
};

Inputs random_inputs() {
  Rng rng(1);
  const auto draw = [&] { return Var::parameter(rng.normal({B, T, E}, 0, 1, DType::float64)); };
  return {draw(), draw(), draw()};
}

// The library's parts, which tests compare with plain loops.
Attended expected_of(const Inputs& in, Size count = heads) {
  const Attended seen =
      scaled_dot_attention(split_heads(in.Q, count), split_heads(in.K, count), split_heads(in.V, count));
  return {merge_heads(seen.context), seen.weights};
}

Attended given_by(const HeadsAnswer& answer, const Inputs& in, Size count = heads) {
  return answer.attention(in.Q, in.K, in.V, count);
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

struct Suspect {
  std::function<Var(const Inputs&)> result;
  std::string bug;
};

double root(Size n) { return std::sqrt(static_cast<double>(n)); }
Var reshaped(const Var& x) { return reshape(x, {B, heads, T, d}); }
Var flattened(const Var& x) { return reshape(x, {B, T, E}); }
Var interleaved(const Var& x) { return permute(reshape(x, {B, T, d, heads}), {0, 3, 1, 2}); }
Var products(const Inputs& in) { return matmul(split_heads(in.Q, heads), transpose(split_heads(in.K, heads))); }
Var scores_of(const Var& q, const Var& k) { return matmul(q, transpose(k)) / root(d); }

// By their weights alone.
std::vector<Suspect> suspects_of_weights() {
  return {
      {[](const Inputs& in) { return softmax(scores_of(interleaved(in.Q), interleaved(in.K))); },
       "a head got the numbers h, h + heads, h + 2 heads, ... of a word. It has d neighbouring ones: cut into "
       "{B, T, heads, d}, not {B, T, d, heads}."},
      {[](const Inputs& in) { return softmax(products(in) / root(E)); },
       "the scores were divided by the root of the whole width, √E. A head's products have d terms."},
      {[](const Inputs& in) { return softmax(products(in)); },
       "the scale is missing: divide the products by √d (chapter 04)."},
      {[](const Inputs& in) { return softmax(products(in) / root(d), 1); },
       "softmax ran over axis 1, the heads, which then share one whole. Each head has one of its own."},
      {[](const Inputs& in) { return softmax(products(in) / root(d), 2); },
       "softmax ran over axis 2, the words that ask. It belongs to the words that are looked at, the last axis."},
      {[](const Inputs& in) {
         return expected_of({in.K, in.Q, in.V}).weights;
       },
       "queries and keys have changed places: a row of the weights belongs to the word that asks."},
      {[](const Inputs& in) { return expected_of(in, 1).weights; },
       "it is one head with the whole width: nothing was cut."},
  };
}

// By their contexts.
std::vector<Suspect> suspects_of_contexts() {
  const auto of_reshaped = [](const Inputs& in) {
    return matmul(softmax(scores_of(reshaped(in.Q), reshaped(in.K))), reshaped(in.V));
  };
  const auto each = [](const Inputs& in) { return matmul(expected_of(in).weights, split_heads(in.V, heads)); };
  return {
      {[=](const Inputs& in) { return flattened(of_reshaped(in)); },
       "the heads were neither cut nor merged by positions: reshape alone mixes positions with heads, both ways. Give "
       "the heads their axis behind the positions first, then permute."},
      {[=](const Inputs& in) { return merge_heads(of_reshaped(in)); },
       "the heads were cut by reshape alone: [B, T, heads · d] read as [B, heads, T, d] gives a head some words whole. "
       "Reshape to {B, T, heads, d}, then permute."},
      {[=](const Inputs& in) { return flattened(each(in)); },
       "the heads were merged by reshape alone: bring the positions to the front by permute, then reshape."},
      {[=](const Inputs& in) { return mean(each(in), {1}); },
       "the context is the mean of the heads. They stand side by side, so that the output matrix can tell them apart."},
      {[](const Inputs& in) {
         return merge_heads(matmul(expected_of(in).weights, slice(split_heads(in.V, heads), 1, 0, 1)));
       },
       "all heads sum the values of the first head."},
  };
}

bool same(const Var& a, const Var& b) { return a.shape() == b.shape() && close(a.value(), b.value()); }

std::string likely_bug(const HeadsAnswer& answer) {
  const Inputs in = random_inputs();
  const auto look = [&](const Attended& given) -> std::string {
    for (const Suspect& suspect : suspects_of_weights()) {
      if (same(given.weights, suspect.result(in))) return suspect.bug;
    }
    for (const Suspect& suspect : suspects_of_contexts()) {
      if (same(given.context, suspect.result(in))) return suspect.bug;
    }
    return "";
  };
  return likely_bug_of([&] { return given_by(answer, in); }, look);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shape(const HeadsAnswer& answer, Steps& steps) {
  const Inputs in = random_inputs();
  const Shape of_weights = {B, heads, T, T}, of_context = {B, T, E};
  const std::string expected = "weights " + text(of_weights) + ", context " + text(of_context);
  expect_shapes(
      steps, "Q, K, V " + text(of_context) + " in 3 heads", expected, [&] { return shape_of(given_by(answer, in)); },
      [&] { return likely_bug(answer); });
}

// Two words of four numbers in two heads: the example of the page.
void check_numbers(const HeadsAnswer& answer, Steps& steps) {
  const Var x(Tensor::from({.1, .2, .3, .4, .5, .6, .7, .8}, {1, 2, 4}, DType::float64));
  const Inputs small{x, x, x}, large = random_inputs();
  const Var given = given_by(answer, small, 2).context, wanted = expected_of(small, 2).context;
  if (!same(given, wanted)) {
    throw Mistake("The example of the page, word after word:\nexpected: " + listed(wanted.value()) +
                      "\nyours:    " + listed(given.value()),
                  likely_bug(answer));
  }
  steps.passed("the example of the page: " + listed(given.value()));

  const Attended found = given_by(answer, large), expected = expected_of(large);
  const auto first_row = [](const Var& weights) {
    return listed(select(select(select(weights, 0, 0), 0, 0), 0, 0).value());
  };
  if (!same(found.weights, expected.weights)) {
    throw Mistake("With random numbers the first word of the first head has the weights\nexpected: " +
                      first_row(expected.weights) + "\nyours:    " + first_row(found.weights),
                  likely_bug(answer));
  }
  if (!same(found.context, expected.context)) {
    throw Mistake("With random numbers the weights are right, and the context is not.", likely_bug(answer));
  }
  steps.passed("random numbers, three heads");
}

void check_properties(const HeadsAnswer& answer, Steps& steps) {
  const Inputs in = random_inputs();
  const Tensor order = Tensor::from_ints({3, 0, 4, 2, 1}, {T});
  const Inputs turned{take(in.Q, 1, order), take(in.K, 1, order), take(in.V, 1, order)};
  if (!same(given_by(answer, turned).context, take(given_by(answer, in).context, 1, order))) {
    throw Mistake("The words in another order do not give the same results in that order.", likely_bug(answer));
  }
  if (!same(given_by(answer, in, 1).context, scaled_dot_attention(in.Q, in.K, in.V).context)) {
    throw Mistake("With one head it is not what attention without heads gives.",
                  "the number of heads stands in the lines as a number; take it from `heads`.");
  }
  steps.passed("properties: another order gives the same results in that order; one head is plain attention");
}

void check_differences(const HeadsAnswer& answer, Steps& steps) {
  const Inputs in = random_inputs();
  if (!given_by(answer, in).weights.needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches Q and K: the weights have no history.",
                  likely_bug(answer));
  }
  const auto context = [&](const Vars& x) { return answer.attention(x[0], x[1], x[2], heads).context; };
  expect_gradients(steps, "heads", context, {in.Q.value(), in.K.value(), in.V.value()},
                   [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/06_many_heads/exercise_1_heads.cpp", heads_answers(),
                       {check_shape, check_numbers, check_properties, check_differences});
}
