// Exercise 1: the running softmax. Keys come block by block; of those that have passed, three things are known of each
// query:
//
//   so_far.highest     [Tq, 1]   m = the largest score so far; −∞ before the first block
//   so_far.normaliser  [Tq, 1]   ℓ = Σ exp(score − m)
//   so_far.sum         [Tq, Dv]  o = Σ exp(score − m) · value
//
// Give the same three after the block with the scores [Tq, n] and the values [n, Dv]. Scores may be 1000 and more, so
// nothing larger than exp(0) may ever be computed. No score of the block is −∞.
//
// Useful:
//   max(x, {axis}, true)    the largest along an axis, which stays, with the size 1
//   maximum(a, b)           element by element, broadcasting as in NumPy
//   exp(x)                  exp(−∞) is 0
//   sum(x, {axis}, true)    the same for sums
//   matmul(a, b)            [Tq, n] · [n, Dv]
#include "tutorials/11_memory/exercise_1_running.hpp"

namespace attend::chapter11 {
namespace {

Running your_block(const Running& so_far, const Var& scores, const Var& values) {
  Var highest, normaliser, sum_of_values;
  // Your lines go here. At the end, all three have what is asked for.

  (void)so_far, (void)scores, (void)values;
  return {highest, normaliser, sum_of_values};
}

}  // namespace

std::vector<RunningAnswer> running_answers() { return {{"yours", your_block}}; }

}  // namespace attend::chapter11
