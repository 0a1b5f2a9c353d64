// Wrong answers to exercise 2, each with the bug that the check must name.
#include <cmath>

#include "tutorials/10_attention_and_convolution/exercise_2_pixels.hpp"

namespace attend::chapter10 {
namespace {

double root(Size n) { return std::sqrt(static_cast<double>(n)); }

Var pixels_of(const PixelInputs& in) {
  const auto [B, C, H, W] = dims<4>(in.x);
  return transpose(reshape(in.x, {B, C, H * W}));
}

Var scores(const Var& pixels, const PixelInputs& in) {
  return matmul(matmul(pixels, in.W_q), transpose(matmul(pixels, in.W_k)));
}

Attended finished(const Var& weights, const Var& pixels, const PixelInputs& in) {
  const Var seen = transpose(matmul(weights, matmul(pixels, in.W_v)));
  return {reshape(seen, {in.x.shape()[0], in.W_v.shape()[1], in.x.shape()[2], in.x.shape()[3]}), weights};
}

Attended with(const Var& weights, const PixelInputs& in) { return finished(weights, pixels_of(in), in); }
Var right_scores(const PixelInputs& in) { return scores(pixels_of(in), in) / root(in.W_q.shape()[1]); }

Attended unsolved(const PixelInputs&) { return {}; }

Attended mixed_words(const PixelInputs& in) {
  const auto [B, C, H, W] = dims<4>(in.x);
  const Var pixels = reshape(in.x, {B, H * W, C});
  return finished(softmax(scores(pixels, in) / root(in.W_q.shape()[1])), pixels, in);
}

Attended mixed_image(const PixelInputs& in) {
  const Var weights = softmax(right_scores(in)), seen = matmul(weights, matmul(pixels_of(in), in.W_v));
  return {reshape(seen, {in.x.shape()[0], in.W_v.shape()[1], in.x.shape()[2], in.x.shape()[3]}), weights};
}

Attended columns_first(const PixelInputs& in) {
  const auto [B, C, H, W] = dims<4>(in.x);
  const Var pixels = reshape(permute(in.x, {0, 3, 2, 1}), {B, H * W, C});
  return finished(softmax(scores(pixels, in) / root(in.W_q.shape()[1])), pixels, in);
}

Attended over_the_queries(const PixelInputs& in) { return with(softmax(right_scores(in), 1), in); }
Attended no_scale(const PixelInputs& in) { return with(softmax(scores(pixels_of(in), in)), in); }

Attended root_of_channels(const PixelInputs& in) {
  return with(softmax(scores(pixels_of(in), in) / root(in.x.shape()[1])), in);
}

Attended no_softmax(const PixelInputs& in) { return with(right_scores(in), in); }

Attended exchanged(const PixelInputs& in) { return with(softmax(right_scores({in.x, in.W_k, in.W_q, in.W_v})), in); }

Attended history_cut(const PixelInputs& in) { return with(detach(softmax(right_scores(in))), in); }

}  // namespace

std::vector<PixelAnswer> pixel_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"reshaped to words without transposing", mixed_words, "mixes pixels with channels"},
      {"reshaped to an image without transposing", mixed_image, "on the way back"},
      {"pixels column by column", columns_first, "column by column"},
      {"softmax over the queries", over_the_queries, "every COLUMN of the weights sums to 1"},
      {"no scale", no_scale, "the scale is missing"},
      {"root of the channels", root_of_channels, "the number of channels"},
      {"no softmax", no_softmax, "softmax is missing"},
      {"queries and keys exchanged", exchanged, "have changed places"},
      {"detach", history_cut, "cuts the history"},
  };
}

}  // namespace attend::chapter10
