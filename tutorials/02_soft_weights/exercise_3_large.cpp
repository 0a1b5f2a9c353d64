// Exercise 3: mend softmax for large scores.
//
//   weights(i, j) = exp(score(i, j)) / Σ over j' of exp(score(i, j'))        scores and weights [n, m]
//
// Somebody wrote it as the formula has it. With scores of 2, 1 and 0 it is right; with 1002, 1001 and 1000 it gives
// NaN, though softmax does not see what all scores of a row have in common. Mend it, for rows of any size.
//
// Useful: max(x, {-1}, true) is the largest of each row, [n, 1]; a − b repeats an axis of size 1.
#include "tutorials/02_soft_weights/exercise_3_large.hpp"

namespace attend::chapter02 {
namespace {

Var softmax_of(const Var& scores) {
  const Var shares = exp(scores);
  return shares / sum(shares, {-1}, true);
}

}  // namespace

std::vector<LargeAnswer> large_answers() { return {{"yours", softmax_of}}; }

}  // namespace attend::chapter02
