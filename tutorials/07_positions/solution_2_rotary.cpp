// Solution of exercise 2.
#include <cmath>

#include "tutorials/07_positions/exercise_2_rotary.hpp"

namespace attend::chapter07 {
namespace {

// x [B, T, d] -> the same, each pair turned.
Var turned(const Var& x, const Var& cosine, const Var& sine) {
  const Size pairs = x.shape().back() / 2;
  const Var even = slice(x, -1, 0, pairs, 2), odd = slice(x, -1, 1, pairs, 2);           // [B, T, d/2]
  const Var both = stack({even * cosine - odd * sine, even * sine + odd * cosine}, -1);  // [B, T, d/2, 2]
  return reshape(both, x.shape());
}

}  // namespace

Attended rotary_attention(const RotaryInputs& inputs) {
  const auto& [query, key, value, cosine, sine] = inputs;
  const double root = std::sqrt(static_cast<double>(query.shape().back()));
  Var weights, context;
  const Var q = turned(query, cosine, sine);
  const Var k = turned(key, cosine, sine);
  weights = softmax(matmul(q, transpose(k)) / root, -1);  // [B, T, T]
  context = matmul(weights, value);                       // [B, T, d]
  return {context, weights};
}

std::vector<RotaryAnswer> rotary_answers() { return {{"the solution", rotary_attention}}; }

}  // namespace attend::chapter07
