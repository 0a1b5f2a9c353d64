// Exercise 1: write attention by distance, which is kernel regression.
//
//   scores(i, j)  = −|qᵢ − kⱼ|² / 2h²        the closer, the larger; h is the width
//   weights(i, :) = softmax of scores(i, :)   over the keys
//   context(i)    = Σⱼ weights(i, j) · valueⱼ
//
//   query [n, d]   key [m, d]   value [m, dv]
//   scores and weights [n, m]   context [n, dv]
//
// Useful, each of them a function from Var to Var:
//   unsqueeze(x, i)    a new axis of size 1 at place i
//   a - b, a * b       element by element; where one has size 1 on an axis, it is repeated: [n, 1, d] and [1, m, d]
// make
//                      [n, m, d], every query with every key
//   sum(x, {-1})       the sum over the last axis, which goes
//   x / 2.0, -x        every element with a number
//   softmax(x, axis)   positive numbers that sum to 1 along the axis
//   matmul(a, b)       [n, m] · [m, p] -> [n, p]
#include "tutorials/02_soft_weights/exercise_1_distance.hpp"

namespace attend::chapter02 {

Attended attention_by_distance(const DistanceInputs& inputs) {
  const auto& [query, key, value, width] = inputs;
  Var weights, context;
  // Your lines go here; the first one is written. At the end, weights and context have what is asked for.
  const Var q = unsqueeze(query, 1);  // [n, 1, d]

  return {context, weights};
}

std::vector<DistanceAnswer> distance_answers() { return {{"yours", attention_by_distance}}; }

}  // namespace attend::chapter02
