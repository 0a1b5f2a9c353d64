// Wrong answers to exercise 1, each with the bug that the check must name.
#include "tutorials/11_memory/exercise_1_running.hpp"

namespace attend::chapter11 {
namespace {

// The right answer, with the maximum and the factors of normaliser and sum as they are given.
Running with(const Running& so_far, const Var& scores, const Var& values, const Var& highest, const Var& factor,
             const Var& factor_of_sum) {
  const Var shares = exp(scores - highest);
  return {highest, factor * so_far.normaliser + sum(shares, {1}, true),
          factor_of_sum * so_far.sum + matmul(shares, values)};
}
Var new_highest(const Running& so_far, const Var& scores) { return maximum(so_far.highest, max(scores, {1}, true)); }
Var ones(const Running& so_far) { return Tensor::ones(so_far.highest.shape(), so_far.highest.dtype()); }

Running unsolved(const Running&, const Var&, const Var&) { return {}; }
Running half_solved(const Running& so_far, const Var& scores, const Var&) {
  return {new_highest(so_far, scores), so_far.normaliser, Var()};
}
Running naive(const Running& so_far, const Var& scores, const Var& values) {
  const Var shares = exp(scores);
  return {new_highest(so_far, scores), so_far.normaliser + sum(shares, {1}, true), so_far.sum + matmul(shares, values)};
}
Running not_rescaled(const Running& so_far, const Var& scores, const Var& values) {
  return with(so_far, scores, values, new_highest(so_far, scores), ones(so_far), ones(so_far));
}
Running wrong_sign(const Running& so_far, const Var& scores, const Var& values) {
  const Var highest = new_highest(so_far, scores), factor = exp(highest - so_far.highest);
  return with(so_far, scores, values, highest, factor, factor);
}
Running sum_not_rescaled(const Running& so_far, const Var& scores, const Var& values) {
  const Var highest = new_highest(so_far, scores);
  return with(so_far, scores, values, highest, exp(so_far.highest - highest), ones(so_far));
}
Running normaliser_not_rescaled(const Running& so_far, const Var& scores, const Var& values) {
  const Var highest = new_highest(so_far, scores);
  return with(so_far, scores, values, highest, ones(so_far), exp(so_far.highest - highest));
}
Running of_this_block(const Running& so_far, const Var& scores, const Var& values) {
  const Var highest = max(scores, {1}, true), factor = exp(so_far.highest - highest);
  return with(so_far, scores, values, highest, factor, factor);
}
Running one_for_all(const Running& so_far, const Var& scores, const Var& values) {
  const Var all = max(maximum(so_far.highest, scores), {0, 1}, true);
  const Var highest = broadcast_to(all, so_far.highest.shape()), factor = exp(so_far.highest - highest);
  return with(so_far, scores, values, highest, factor, factor);
}
Running divided_already(const Running& so_far, const Var& scores, const Var& values) {
  const Var highest = new_highest(so_far, scores), factor = exp(so_far.highest - highest);
  const Running right = with(so_far, scores, values, highest, factor, factor);
  return {right.highest, right.normaliser, right.sum / right.normaliser};
}
Running over_the_queries(const Running& so_far, const Var& scores, const Var& values) {
  const Var highest = maximum(so_far.highest, max(scores, {0}, true));
  return with(so_far, scores, values, highest, exp(so_far.highest - highest), exp(so_far.highest - highest));
}
Running sum_over_the_queries(const Running& so_far, const Var& scores, const Var& values) {
  const Var highest = new_highest(so_far, scores), factor = exp(so_far.highest - highest),
            shares = exp(scores - highest);
  return {highest, factor * so_far.normaliser + sum(shares, {0}, true), factor * so_far.sum + matmul(shares, values)};
}
Running history_cut(const Running& so_far, const Var& scores, const Var& values) {
  const Var highest = new_highest(so_far, scores), factor = exp(so_far.highest - highest);
  const Running right = with(so_far, scores, values, highest, factor, factor);
  return {right.highest, right.normaliser, detach(right.sum)};
}

}  // namespace

std::vector<RunningAnswer> running_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"one of the three is missing", half_solved, "one of the three"},
      {"exp of the scores as they are", naive, "exp(1000)"},
      {"nothing is rescaled", not_rescaled, "in units of the old maximum"},
      {"rescaled by the wrong sign", wrong_sign, "the other way round"},
      {"the sum is not rescaled", sum_not_rescaled, "the sum of values is not"},
      {"the normaliser is not rescaled", normaliser_not_rescaled, "the normaliser is not"},
      {"the maximum of this block alone", of_this_block, "this block alone"},
      {"one maximum for all queries", one_for_all, "all queries"},
      {"divided already", divided_already, "divided by the normaliser"},
      {"maximum over the queries", over_the_queries, "Keys are axis 1"},
      {"sum over the queries", sum_over_the_queries, "over axis 0"},
      {"detach", history_cut, "cuts the history"},
  };
}

}  // namespace attend::chapter11
