// Wrong answers to exercise 1, each with the bug that the check must name.
#include <cmath>

#include "nn/attention/multi_head.hpp"
#include "tutorials/06_many_heads/exercise_1_heads.hpp"

namespace attend::chapter06 {
namespace {

double root(Size n) { return std::sqrt(static_cast<double>(n)); }
Size head_width(const Var& x, Size heads) { return x.shape()[2] / heads; }

// [B, T, heads · d] read as [B, heads, T, d].
Var reshaped(const Var& x, Size heads) {
  const auto [B, T, E] = dims<3>(x);
  return reshape(x, {B, heads, T, E / heads});
}
// [B, heads, T, d] read as [B, T, heads · d].
Var flattened(const Var& x) {
  const auto [B, heads, T, d] = dims<4>(x);
  return reshape(x, {B, T, heads * d});
}
// Head h has the numbers h, h + heads, h + 2 heads, ... of a word.
Var interleaved(const Var& x, Size heads) {
  const auto [B, T, E] = dims<3>(x);
  return permute(reshape(x, {B, T, E / heads, heads}), {0, 3, 1, 2});
}

Var products(const Var& q, const Var& k) { return matmul(q, transpose(k)); }
Var right_scores(const Var& Q, const Var& K, Size heads) {
  return products(split_heads(Q, heads), split_heads(K, heads)) / root(head_width(Q, heads));
}
Attended finished(const Var& weights, const Var& V, Size heads) {
  return {merge_heads(matmul(weights, split_heads(V, heads))), weights};
}

Attended unsolved(const Var&, const Var&, const Var&, Size) { return {}; }

Attended cut_by_reshape(const Var& Q, const Var& K, const Var& V, Size heads) {
  const Var weights = softmax(products(reshaped(Q, heads), reshaped(K, heads)) / root(head_width(Q, heads)));
  return {merge_heads(matmul(weights, reshaped(V, heads))), weights};
}

Attended cut_and_merged_by_reshape(const Var& Q, const Var& K, const Var& V, Size heads) {
  const Var weights = softmax(products(reshaped(Q, heads), reshaped(K, heads)) / root(head_width(Q, heads)));
  return {flattened(matmul(weights, reshaped(V, heads))), weights};
}

Attended merged_by_reshape(const Var& Q, const Var& K, const Var& V, Size heads) {
  const Var weights = softmax(right_scores(Q, K, heads));
  return {flattened(matmul(weights, split_heads(V, heads))), weights};
}

Attended every_other_number(const Var& Q, const Var& K, const Var& V, Size heads) {
  const Var weights = softmax(products(interleaved(Q, heads), interleaved(K, heads)) / root(head_width(Q, heads)));
  return {merge_heads(matmul(weights, interleaved(V, heads))), weights};
}

Attended root_of_the_width(const Var& Q, const Var& K, const Var& V, Size heads) {
  return finished(softmax(products(split_heads(Q, heads), split_heads(K, heads)) / root(Q.shape()[2])), V, heads);
}

Attended no_scale(const Var& Q, const Var& K, const Var& V, Size heads) {
  return finished(softmax(products(split_heads(Q, heads), split_heads(K, heads))), V, heads);
}

Attended over_the_heads(const Var& Q, const Var& K, const Var& V, Size heads) {
  return finished(softmax(right_scores(Q, K, heads), 1), V, heads);
}

Attended over_the_queries(const Var& Q, const Var& K, const Var& V, Size heads) {
  return finished(softmax(right_scores(Q, K, heads), 2), V, heads);
}

Attended exchanged(const Var& Q, const Var& K, const Var& V, Size heads) {
  return finished(softmax(right_scores(K, Q, heads)), V, heads);
}

Attended mean_of_heads(const Var& Q, const Var& K, const Var& V, Size heads) {
  const Var weights = softmax(right_scores(Q, K, heads));
  return {mean(matmul(weights, split_heads(V, heads)), {1}), weights};
}

Attended one_head(const Var& Q, const Var& K, const Var& V, Size) {
  return finished(softmax(right_scores(Q, K, 1)), V, 1);
}

Attended first_values(const Var& Q, const Var& K, const Var& V, Size heads) {
  const Var weights = softmax(right_scores(Q, K, heads));
  return {merge_heads(matmul(weights, slice(split_heads(V, heads), 1, 0, 1))), weights};
}

Attended history_cut(const Var& Q, const Var& K, const Var& V, Size heads) {
  return finished(detach(softmax(right_scores(Q, K, heads))), V, heads);
}

}  // namespace

std::vector<HeadsAnswer> heads_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"cut by reshape alone", cut_by_reshape, "the heads were cut by reshape alone"},
      {"cut and merged by reshape alone", cut_and_merged_by_reshape, "neither cut nor merged"},
      {"merged by reshape alone", merged_by_reshape, "merged by reshape alone"},
      {"every other number", every_other_number, "numbers h, h + heads"},
      {"root of the whole width", root_of_the_width, "the root of the whole width"},
      {"no scale", no_scale, "the scale is missing"},
      {"softmax over the heads", over_the_heads, "over axis 1, the heads"},
      {"softmax over the queries", over_the_queries, "over axis 2"},
      {"Q and K exchanged", exchanged, "have changed places"},
      {"mean of the heads", mean_of_heads, "the mean of the heads"},
      {"one head", one_head, "one head with the whole width"},
      {"values of the first head", first_values, "the values of the first head"},
      {"detach", history_cut, "cuts the history"},
  };
}

}  // namespace attend::chapter06
