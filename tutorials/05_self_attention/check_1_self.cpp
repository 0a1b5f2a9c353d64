// The check of exercise 1: shape, tiny numbers, properties, differences.
#include <cmath>
#include <functional>

#include "nn/attention/self_attention.hpp"
#include "tensor/random.hpp"
#include "tutorials/05_self_attention/exercise_1_self.hpp"
#include "tutorials/05_self_attention/sentence.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter05;
using namespace attend::lesson;

namespace {

constexpr Size B = 2, T = 5, E = 4;

SelfInputs random_inputs() {
  Rng rng(1);
  const auto draw = [&](const Shape& shape) { return Var::parameter(rng.normal(shape, 0, 1, DType::float64)); };
  SelfInputs in;
  in.x = draw({B, T, E});
  for (Var* matrix : {&in.W_q, &in.W_k, &in.W_v, &in.W_o}) *matrix = draw({E, E});
  in.b_o = draw({E});
  return in;
}

// The sentence of the page: queries, values and output are the words, keys have the noun axis four times as large.
SelfInputs on_paper() {
  const SelfAttention layer = noun_layer(4);
  return {word_vectors(),      layer.queries.weight, layer.keys.weight,
          layer.values.weight, layer.output.weight,  layer.output.bias};
}

// The layer of the library, which tests compare with plain loops, with these matrices.
Attended expected_of(const SelfInputs& in) {
  Rng rng(1);
  SelfAttention layer(in.x.shape().back(), rng);
  layer.queries.weight = in.W_q;
  layer.keys.weight = in.W_k;
  layer.values.weight = in.W_v;
  layer.output.weight = in.W_o;
  layer.output.bias = in.b_o;
  return layer(in.x);
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

struct Suspect {
  std::function<Attended(const SelfInputs&)> attention;
  std::string bug;
};

Var products(const SelfInputs& in) { return matmul(matmul(in.x, in.W_q), transpose(matmul(in.x, in.W_k))); }
double root(Size n) { return std::sqrt(static_cast<double>(n)); }

// By their weights alone.
std::vector<Suspect> suspects_of_weights() {
  const auto with = [](const Var& weights) { return Attended{{}, weights}; };
  return {
      {[=](SelfInputs in) {
         std::swap(in.W_q, in.W_k);
         return expected_of(in);
       },
       "queries and keys have changed places: a row of the weights belongs to the word that asks."},
      {[=](SelfInputs in) {
         in.W_k = in.W_q;
         return expected_of(in);
       },
       "the keys come from W_q, so that what a word asks is what it is found by. They have a matrix of their own."},
      {[=](const SelfInputs& in) { return with(softmax(matmul(in.x, transpose(in.x)) / root(E))); },
       "the words were compared as they are, without W_q and W_k."},
      {[=](const SelfInputs& in) { return with(softmax(products(in))); },
       "the scale is missing: divide the products by √E (chapter 04)."},
      {[=](const SelfInputs& in) { return with(softmax(products(in) / root(T))); },
       "the root is taken of the number of words. What grows the products is the width of a word, E."},
      {[=](const SelfInputs& in) { return with(softmax(products(in) / root(E), 1)); },
       "every COLUMN of the weights sums to 1: softmax ran over axis 1, the words that ask."},
      {[=](const SelfInputs& in) { return with(softmax(products(in) / root(E), 0)); },
       "softmax ran over axis 0, the batch."},
      {[=](const SelfInputs& in) { return with(products(in) / root(E)); },
       "the weights are the scores themselves: softmax is missing."},
      {[=](const SelfInputs& in) { return with(attention_weights(products(in) / root(E), causal_mask(T, T))); },
       "a word sees only those before it. That is for a writer who has not written the rest; here all is there."},
  };
}

// The weights are right; by their contexts.
std::vector<Suspect> suspects_of_contexts() {
  return {
      {[](const SelfInputs& in) {
         const Var weights = expected_of(in).weights;
         return Attended{matmul(matmul(weights, in.x), in.W_o) + in.b_o, weights};
       },
       "the words themselves were summed: W_v has no part in the result."},
      {[](const SelfInputs& in) {
         const Var weights = expected_of(in).weights;
         return Attended{matmul(weights, matmul(in.x, in.W_v)), weights};
       },
       "the sum of values is not the result yet: W_o has no part in it."},
      {[](SelfInputs in) {
         in.b_o = in.b_o * 0.0;
         return expected_of(in);
       },
       "b_o is missing behind the output matrix."},
      {[](const SelfInputs& in) {
         const Attended seen = expected_of(in);
         return Attended{seen.context + in.x, seen.weights};
       },
       "the words themselves were added to the result. A transformer does that (chapter 08), outside of the "
       "attention."},
  };
}

std::string likely_bug(const SelfAnswer& answer) {
  const SelfInputs in = random_inputs();
  const auto look = [&](const Attended& given) -> std::string {
    for (const Suspect& suspect : suspects_of_weights()) {
      if (close(given.weights.value(), suspect.attention(in).weights.value())) return suspect.bug;
    }
    for (const Suspect& suspect : suspects_of_contexts()) {
      if (close(given.context.value(), suspect.attention(in).context.value())) return suspect.bug;
    }
    return "";
  };
  return likely_bug_of([&] { return answer.attention(in); }, look);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shape(const SelfAnswer& answer, Steps& steps) {
  const SelfInputs in = random_inputs();
  const std::string expected = "weights " + text(Shape{B, T, T}) + ", context " + text(Shape{B, T, E});
  expect_shapes(
      steps, "x " + text(in.x.shape()), expected, [&] { return shape_of(answer.attention(in)); },
      [&] { return likely_bug(answer); });
}

std::string row_of(const Tensor& x, Size word) { return listed(select(select(Var(x), 0, 0), 0, word).value()); }

void check_numbers(const SelfAnswer& answer, Steps& steps) {
  const SelfInputs small = on_paper();
  const Attended given = answer.attention(small), expected = expected_of(small);
  if (!close(given.weights.value(), expected.weights.value())) {
    throw Mistake("The weights of cat in the page's sentence:\nexpected: " + row_of(expected.weights.value(), cat) +
                      "\nyours:    " + row_of(given.weights.value(), cat),
                  likely_bug(answer));
  }
  if (!close(given.context.value(), expected.context.value())) {
    throw Mistake("The weights of the page's sentence are right. The result for cat:\nexpected: " +
                      row_of(expected.context.value(), cat) + "\nyours:    " + row_of(given.context.value(), cat),
                  likely_bug(answer));
  }
  steps.passed("the sentence of the page: cat looks at mat with " + fixed(given.weights.value().at({0, cat, mat}), 4));

  const SelfInputs large = random_inputs();
  const Attended found = answer.attention(large), wanted = expected_of(large);
  if (!close(found.weights.value(), wanted.weights.value()) || !close(found.context.value(), wanted.context.value())) {
    throw Mistake(
        "The sentence comes out right, where matrices are diagonal. With random ones the first row of the "
        "result is\nexpected: " +
            row_of(wanted.context.value(), 0) + "\nyours:    " + row_of(found.context.value(), 0),
        likely_bug(answer));
  }
  steps.passed("random matrices");
}

void check_properties(const SelfAnswer& answer, Steps& steps) {
  SelfInputs in = random_inputs();
  const Attended given = answer.attention(in);
  if (!sums_to_one(given.weights.value(), 2)) {
    throw Mistake("The weights of a word do not sum to 1.", likely_bug(answer));
  }
  const Tensor order = Tensor::from_ints({3, 0, 4, 2, 1}, {T});
  in.x = take(in.x, 1, order);
  if (!close(answer.attention(in).context.value(), take(given.context, 1, order).value())) {
    throw Mistake("The words in another order do not give the same results in that order.",
                  "a place has a part in the scores; only what stands there may have one.");
  }
  steps.passed("properties: rows sum to 1; another order gives the same results in that order");
}

void check_differences(const SelfAnswer& answer, Steps& steps) {
  const SelfInputs in = random_inputs();
  if (!answer.attention(in).weights.needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches W_q and W_k: the weights have no history.",
                  likely_bug(answer));
  }
  expect_gradients(
      steps, "self-attention",
      [&](const Vars& v) {
        return answer.attention({v[0], v[1], v[2], v[3], v[4], v[5]}).context;
      },
      {in.x.value(), in.W_q.value(), in.W_k.value(), in.W_v.value(), in.W_o.value(), in.b_o.value()},
      [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/05_self_attention/exercise_1_self.cpp", self_answers(),
                       {check_shape, check_numbers, check_properties, check_differences});
}
