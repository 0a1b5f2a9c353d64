// Exercise 1: cut into heads, let each attend, and put them side by side again.
//
//   Q, K, V [B, T, E] -> [B, heads, T, d]          E = heads · d; head h has the numbers h · d .. h · d + d − 1 of
//                                                  every word
//   weights = softmax of q · k / √d                [B, heads, T, T]
//   context = weights · V, heads side by side      [B, T, E]
//
// Useful:
//   reshape(x, {..})         the same numbers in the same order, in another shape
//   permute(x, {0, 2, 1})    axis i of the result is axis order[i] of x
//   matmul(a, b)             [.., n, m] · [.., m, p] -> [.., n, p]
//   transpose(x)             the last two axes exchanged
//   softmax(x, axis)         positive numbers that sum to 1 along the axis
#include "tutorials/06_many_heads/exercise_1_heads.hpp"

#include <cmath>

namespace attend::chapter06 {

Attended attend_in_heads(const Var& Q, const Var& K, const Var& V, Size heads) {
  const auto [B, T, E] = dims<3>(Q);
  const Size d = E / heads;
  Var weights, context;
  // Your lines go here. At the end, weights and context have what is asked for.

  (void)B, (void)T, (void)d, (void)K, (void)V;
  return {context, weights};
}

std::vector<HeadsAnswer> heads_answers() { return {{"yours", attend_in_heads}}; }

}  // namespace attend::chapter06
