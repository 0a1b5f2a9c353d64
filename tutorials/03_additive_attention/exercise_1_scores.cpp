// Exercise 1: write additive attention.
//
//   score(i, j) = vᵀ tanh(W_q qᵢ + W_k kⱼ)        for every query i and every key j
//   weights(i, :) = softmax of score(i, :)        over the keys
//   context(i) = Σⱼ weights(i, j) · valueⱼ
//
//   query [B, Tq, Dq]   key [B, Tk, Dk]   value [B, Tk, Dv]   W_q [Dq, hidden]   W_k [Dk, hidden]   v [hidden]
//   scores and weights [B, Tq, Tk]        context [B, Tq, Dv]
//
// Useful, each of them a function from Var to Var:
//   matmul(x, W)       [.., n, m] · [m, p] -> [.., n, p], and [.., m] · [m] -> [..]; also batch by batch:
//                      [B, n, m] · [B, m, p] -> [B, n, p]
//   unsqueeze(x, i)    a new axis of size 1 at place i
//   a + b              where one has size 1 on an axis and the other more, the 1 is repeated: [B, Tq, 1, hidden] and
//                      [B, 1, Tk, hidden] make [B, Tq, Tk, hidden], every query with every key
//   tanh(x)            element by element
//   softmax(x, axis)   positive numbers that sum to 1 along the axis; −1 is the last axis
#include "tutorials/03_additive_attention/exercise_1_scores.hpp"

namespace attend::chapter03 {

Attended additive_attention(const Inputs& inputs) {
  const auto& [query, key, value, W_q, W_k, v] = inputs;  // names for the six members of the struct
  Var weights, context;
  // Your lines go here; the first one is written. At the end, weights and context have what is asked for.
  const Var q = matmul(query, W_q);  // [B, Tq, hidden]

  return {context, weights};
}

std::vector<ScoresAnswer> scores_answers() { return {{"yours", additive_attention}}; }

}  // namespace attend::chapter03
