// Exercise 2: the mean of the words that are there, and only of those.
//
//   x [B, T, E], there [B, T], bool: whether a place holds a word, or padding -> [B, E]
//   Padding may hold anything, NaN included. Every sentence has a word.
//
// Useful:
//   where(there, a, b)            a where there is true, else b; all three broadcast
//   Tensor::zeros({}, x.dtype())  a zero, for `where`
//   unsqueeze(x, axis)            a new axis of size 1, also of a Tensor
//   sum(x, {axis}), mean(x, {axis})
//   cast(Var(there), x.dtype())   true is 1, false is 0
//   a / b                         element by element, broadcasting as in NumPy
#include "tutorials/06_many_heads/exercise_2_mean.hpp"

namespace attend::chapter06 {

Var mean_of(const Var& x, const Tensor& there) {
  Var result;
  // Your lines go here. At the end, result has what is asked for.

  (void)x, (void)there;
  return result;
}

std::vector<MeanAnswer> mean_answers() { return {{"yours", mean_of}}; }

}  // namespace attend::chapter06
