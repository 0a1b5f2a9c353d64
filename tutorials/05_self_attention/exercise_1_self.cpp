// Exercise 1: write self-attention.
//
//   Q = x W_q     K = x W_k     V = x W_v       every word asks, is asked, and answers
//   weights = softmax of Q Kᵀ / √E              over the words that are looked at
//   context = (weights V) W_o + b_o
//
//   x [B, T, E]   W_q, W_k, W_v, W_o [E, E]   b_o [E]
//   weights [B, T, T]   context [B, T, E]
//
// Useful, each of them a function from Var to Var:
//   matmul(a, b)       [.., n, m] · [.., m, p] -> [.., n, p]; b may be [m, p] alone
//   transpose(x)       the last two axes exchanged
//   x / 2.0, a + b     every element with a number; sums, where [E] is added to every row of [B, T, E]
//   softmax(x, axis)   positive numbers that sum to 1 along the axis
#include "tutorials/05_self_attention/exercise_1_self.hpp"

#include <cmath>

namespace attend::chapter05 {

Attended self_attention(const SelfInputs& inputs) {
  const auto& [x, W_q, W_k, W_v, W_o, b_o] = inputs;
  const double root = std::sqrt(static_cast<double>(x.shape().back()));
  Var weights, context;
  // Your lines go here; the first one is written. At the end, weights and context have what is asked for.
  const Var Q = matmul(x, W_q);  // [B, T, E]

  (void)root;
  return {context, weights};
}

std::vector<SelfAnswer> self_answers() { return {{"yours", self_attention}}; }

}  // namespace attend::chapter05
