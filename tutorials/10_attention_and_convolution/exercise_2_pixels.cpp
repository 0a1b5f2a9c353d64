// Exercise 2: attention between the pixels of an image.
//
//   every pixel, with its C channels, is a word:   Q = pixels W_q    K = pixels W_k    V = pixels W_v
//   weights = softmax of Q Kᵀ / √D                  over the pixels that are looked at
//   context = weights V                             as an image again
//
//   x [B, C, H, W]   W_q, W_k [C, D]   W_v [C, V]
//   weights [B, H · W, H · W]   context [B, V, H, W]
//
// Useful, each of them a function from Var to Var:
//   reshape(x, shape)   the same numbers in the same order, as another shape
//   transpose(x)        the last two axes exchanged
//   matmul(a, b)        [.., n, m] · [.., m, p] -> [.., n, p]; b may be [m, p] alone
//   softmax(x, axis)    positive numbers that sum to 1 along the axis
#include "tutorials/10_attention_and_convolution/exercise_2_pixels.hpp"

#include <cmath>

namespace attend::chapter10 {

Attended pixel_attention(const PixelInputs& inputs) {
  const auto& [x, W_q, W_k, W_v] = inputs;
  const auto [B, C, H, W] = dims<4>(x, "pixel attention");
  const double root = std::sqrt(static_cast<double>(W_q.shape()[1]));
  Var weights, context;
  // Your lines go here; the first one is written. At the end, weights and context have what is asked for.
  const Var channels = reshape(x, {B, C, H * W});  // a row for each channel; a word is a row for each pixel

  (void)root;
  return {context, weights};
}

std::vector<PixelAnswer> pixel_answers() { return {{"yours", pixel_attention}}; }

}  // namespace attend::chapter10
