// Wrong answers to exercise 1, each with the bug that the check must name.
#include <cmath>

#include "tutorials/03_additive_attention/exercise_1_scores.hpp"

namespace attend::chapter03 {
namespace {

Var projected_query(const Inputs& in) { return matmul(in.query, in.W_q); }
Var projected_key(const Inputs& in) { return matmul(in.key, in.W_k); }
Var pairs(const Inputs& in) { return unsqueeze(projected_query(in), 2) + unsqueeze(projected_key(in), 1); }
Attended summed(const Var& weights, const Inputs& in) { return {matmul(weights, in.value), weights}; }

Attended unsolved(const Inputs&) { return {}; }

Attended over_the_queries(const Inputs& in) { return summed(softmax(matmul(tanh(pairs(in)), in.v), 1), in); }

Attended over_the_batch(const Inputs& in) { return summed(softmax(matmul(tanh(pairs(in)), in.v), 0), in); }

Attended no_softmax(const Inputs& in) { return summed(matmul(tanh(pairs(in)), in.v), in); }

Attended no_tanh(const Inputs& in) { return summed(softmax(matmul(pairs(in), in.v)), in); }

Attended no_query(const Inputs& in) {
  const Var scores = matmul(tanh(pairs({in.query * 0.0, in.key, in.value, in.W_q, in.W_k, in.v})), in.v);
  return summed(softmax(scores), in);
}

Attended no_new_axes(const Inputs& in) {
  return summed(softmax(matmul(tanh(projected_query(in) + projected_key(in)), in.v)), in);
}

Attended axes_exchanged(const Inputs& in) {
  const Var pairs = unsqueeze(projected_query(in), 1) + unsqueeze(projected_key(in), 2);
  return summed(softmax(matmul(tanh(pairs), in.v)), in);
}

Attended matrices_exchanged(const Inputs& in) {
  const Var pairs = unsqueeze(matmul(in.query, in.W_k), 2) + unsqueeze(matmul(in.key, in.W_q), 1);
  return summed(softmax(matmul(tanh(pairs), in.v)), in);
}

Attended v_inside(const Inputs& in) { return summed(softmax(sum(tanh(pairs(in) * in.v), {-1})), in); }

Attended scaled(const Inputs& in) {
  const double root = std::sqrt(static_cast<double>(in.v.size()));
  return summed(softmax(matmul(tanh(pairs(in)), in.v) / root), in);
}

Attended sum_of_keys(const Inputs& in) {
  const Var weights = softmax(matmul(tanh(pairs(in)), in.v));
  return {matmul(weights, in.key), weights};
}

Attended history_cut(const Inputs& in) { return summed(detach(softmax(matmul(tanh(pairs(in)), in.v))), in); }

}  // namespace

std::vector<ScoresAnswer> scores_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"softmax over the queries", over_the_queries, "every COLUMN of the weights sums to 1"},
      {"softmax over the batch", over_the_batch, "over axis 0, the batch"},
      {"no softmax", no_softmax, "weights are the scores themselves"},
      {"no tanh", no_tanh, "tanh is missing"},
      {"no query", no_query, "queries have no part"},
      {"no new axes", no_new_axes, "added without new axes"},
      {"new axes exchanged", axes_exchanged, "transposed"},
      {"W_q and W_k exchanged", matrices_exchanged, "W_q belongs to the queries"},
      {"v inside of tanh", v_inside, "v is multiplied before tanh"},
      {"divided by √hidden", scaled, "divided by √hidden"},
      {"keys summed in place of values", sum_of_keys, "the keys were summed"},
      {"detach", history_cut, "cuts the history"},
  };
}

}  // namespace attend::chapter03
