// Wrong answers to exercise 1, each with the bug that the check must name.
#include <cmath>

#include "tutorials/05_self_attention/exercise_1_self.hpp"

namespace attend::chapter05 {
namespace {

Var scores(const Var& Q, const Var& K) {
  return matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(Q.shape().back()));
}
Var right_scores(const SelfInputs& in) { return scores(matmul(in.x, in.W_q), matmul(in.x, in.W_k)); }
Var right_weights(const SelfInputs& in) { return softmax(right_scores(in)); }

Attended finished(const Var& weights, const SelfInputs& in) {
  return {matmul(matmul(weights, matmul(in.x, in.W_v)), in.W_o) + in.b_o, weights};
}

Attended unsolved(const SelfInputs&) { return {}; }

Attended exchanged(const SelfInputs& in) {
  return finished(softmax(scores(matmul(in.x, in.W_k), matmul(in.x, in.W_q))), in);
}

Attended one_matrix(const SelfInputs& in) {
  const Var Q = matmul(in.x, in.W_q);
  return finished(softmax(scores(Q, Q)), in);
}

Attended unprojected(const SelfInputs& in) { return finished(softmax(scores(in.x, in.x)), in); }

Attended no_scale(const SelfInputs& in) {
  return finished(softmax(matmul(matmul(in.x, in.W_q), transpose(matmul(in.x, in.W_k)))), in);
}

Attended root_of_length(const SelfInputs& in) {
  const Var products = matmul(matmul(in.x, in.W_q), transpose(matmul(in.x, in.W_k)));
  return finished(softmax(products / std::sqrt(static_cast<double>(in.x.shape()[1]))), in);
}

Attended over_the_queries(const SelfInputs& in) { return finished(softmax(right_scores(in), 1), in); }

Attended over_the_batch(const SelfInputs& in) { return finished(softmax(right_scores(in), 0), in); }

Attended no_softmax(const SelfInputs& in) { return finished(right_scores(in), in); }

Attended only_before(const SelfInputs& in) {
  const Size T = in.x.shape()[1];
  return finished(attention_weights(right_scores(in), causal_mask(T, T)), in);
}

Attended words_as_values(const SelfInputs& in) {
  const Var weights = right_weights(in);
  return {matmul(matmul(weights, in.x), in.W_o) + in.b_o, weights};
}

Attended no_output(const SelfInputs& in) {
  const Var weights = right_weights(in);
  return {matmul(weights, matmul(in.x, in.W_v)), weights};
}

Attended no_bias(const SelfInputs& in) {
  const Var weights = right_weights(in);
  return {matmul(matmul(weights, matmul(in.x, in.W_v)), in.W_o), weights};
}

Attended words_added(const SelfInputs& in) {
  const Attended seen = finished(right_weights(in), in);
  return {seen.context + in.x, seen.weights};
}

Attended history_cut(const SelfInputs& in) { return finished(detach(right_weights(in)), in); }

}  // namespace

std::vector<SelfAnswer> self_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"Q and K exchanged", exchanged, "have changed places"},
      {"one matrix for Q and K", one_matrix, "the keys come from W_q"},
      {"words are their own queries and keys", unprojected, "without W_q and W_k"},
      {"no scale", no_scale, "the scale is missing"},
      {"root of the length", root_of_length, "the number of words"},
      {"softmax over the queries", over_the_queries, "every COLUMN of the weights sums to 1"},
      {"softmax over the batch", over_the_batch, "over axis 0, the batch"},
      {"no softmax", no_softmax, "softmax is missing"},
      {"only words before", only_before, "sees only those before it"},
      {"words summed in place of values", words_as_values, "W_v has no part"},
      {"no output projection", no_output, "W_o has no part"},
      {"no bias", no_bias, "b_o is missing"},
      {"the words added", words_added, "the words themselves were added"},
      {"detach", history_cut, "cuts the history"},
  };
}

}  // namespace attend::chapter05
