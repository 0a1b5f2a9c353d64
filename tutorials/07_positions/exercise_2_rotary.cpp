// Exercise 2: write attention with rotary positions.
//
//   y[2i] = x[2i] cos − x[2i+1] sin        y[2i+1] = x[2i] sin + x[2i+1] cos
//   weights = softmax of  turned(query) turned(key)ᵀ / √d        context = weights · value
//
//   query, key, value [B, T, d]   cos, sin [T, d/2], given   weights [B, T, T]   context [B, T, d]
//
// Useful, each of them a function from Var to Var:
//   slice(x, axis, first, count, step)   every step-th element: slice(x, -1, 1, n, 2) are columns 1, 3, 5, ...
//   stack({a, b}, -1)                    [B, T, n] and [B, T, n] -> [B, T, n, 2], side by side
//   reshape(x, shape)                    x.shape() is the shape of x
//   matmul(a, b), transpose(x), softmax(x, axis), x / 2.0
#include "tutorials/07_positions/exercise_2_rotary.hpp"

#include <cmath>

namespace attend::chapter07 {
namespace {

// x [B, T, d] -> the same, each pair turned.
Var turned(const Var& x, const Var& cosine, const Var& sine) {
  const Size pairs = x.shape().back() / 2;
  // Your lines go here, in place of the return: what are even and odd columns, and what becomes of them?

  (void)pairs, (void)cosine, (void)sine;
  return x;
}

}  // namespace

Attended rotary_attention(const RotaryInputs& inputs) {
  const auto& [query, key, value, cosine, sine] = inputs;
  const double root = std::sqrt(static_cast<double>(query.shape().back()));
  Var weights, context;
  const Var q = turned(query, cosine, sine);
  // Your lines go here. At the end, weights and context have what is asked for.

  (void)root;
  return {context, weights};
}

std::vector<RotaryAnswer> rotary_answers() { return {{"yours", rotary_attention}}; }

}  // namespace attend::chapter07
