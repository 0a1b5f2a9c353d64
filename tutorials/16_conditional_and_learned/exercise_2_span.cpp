// Exercise 2: the weights of a head that learns how far it looks. Query i sees key j <= i at the distance i − j.
//
//   m(x)          = clip((ramp + z − x) / ramp, 0, 1)           whole up to the distance z, 0 from z + ramp on
//   weights[i, j] = m(i − j) exp(score[i, j]) / Σ over j' <= i of m(i − j') exp(score[i, j'])       [T, T]
//
// z [1] must get a derivative: it is what the head learns.
//
// Useful:
//   Tensor::from(std::vector<double>, {T, T}, scores.dtype()), Tensor::from_bools(std::vector<bool>, {T, T})
//   clamp(a, low, high)
//   masked_softmax(scores, allowed)            weights of what is allowed, along the last axis; 0 elsewhere
//   sum(a, {1}, true)                          [T, T] -> [T, 1]
#include "tutorials/16_conditional_and_learned/exercise_2_span.hpp"

namespace attend::chapter16 {
namespace {

Var your_weights(const Var& scores, const Var& z, double ramp) {
  const Size T = scores.shape()[0];
  Var weights;
  // Your lines go here. At the end weights is [T, T].

  (void)T, (void)z, (void)ramp;
  return weights;
}

}  // namespace

std::vector<SpanAnswer> span_answers() { return {{"yours", your_weights}}; }

}  // namespace attend::chapter16
