#include "nn/attention/image.hpp"

#include <cmath>
#include <stdexcept>

namespace attend {
namespace {

// The key channels, once all arguments of ImageAttention are seen to fit: a layer that is refused has drawn no number.
Size checked_key_channels(Size key_channels, Size value_channels, Size heads, Size height, Size width) {
  const bool channels = key_channels >= 1 && value_channels >= 1;
  if (!channels || heads < 1 || key_channels % heads != 0 || value_channels % heads != 0) {
    throw std::invalid_argument("image attention: " + std::to_string(heads) + " heads do not divide " +
                                std::to_string(key_channels) + " key and " + std::to_string(value_channels) +
                                " value channels");
  }
  if (height < 1 || width < 1) {
    throw std::invalid_argument("image attention: an image of " + std::to_string(height) + " x " +
                                std::to_string(width));
  }
  return key_channels;
}

// For pixels i and j of an image `width` wide, how many rows (or columns) j lies behind i, plus length − 1: [H·W, H·W].
template <class Place>
Tensor rows_of_table(Size pixels, Size length, Place place) {
  std::vector<std::int64_t> rows;
  for (Size i = 0; i < pixels; ++i) {
    for (Size j = 0; j < pixels; ++j) rows.push_back(place(j) - place(i) + length - 1);
  }
  return Tensor::from_ints(rows, {pixels, pixels});
}

// [B, C, H, W] -> [B, H · W, C], and back.
Var pixels_of(const Var& x) { return transpose(reshape(x, {x.shape()[0], x.shape()[1], x.shape()[2] * x.shape()[3]})); }
Var image_of(const Var& pixels, Size height, Size width) {
  const auto [B, n, C] = dims<3>(pixels);
  return reshape(transpose(pixels), {B, C, height, width});
}

ConvOptions same_size(Size kernel) {
  ConvOptions options;
  options.padding = same_padding("augmented convolution", kernel);
  return options;
}

// What is left to the convolution, once the attention beside it is seen to fit.
Size conv_channels(Size out_channels, Size key_channels, Size attention_channels, Size heads, Size height, Size width) {
  if (attention_channels < 0 || attention_channels >= out_channels) {
    throw std::invalid_argument("augmented convolution: " + std::to_string(attention_channels) +
                                " attention channels of " + std::to_string(out_channels) +
                                " leave none to the convolution");
  }
  if (attention_channels > 0) checked_key_channels(key_channels, attention_channels, heads, height, width);
  return out_channels - attention_channels;
}

ConvOptions without_bias() {
  ConvOptions options;
  options.bias = false;  // the norm behind it has one
  return options;
}

}  // namespace

ImageAttention::ImageAttention(Size channels, Size key_channels, Size value_channels, Size number_of_heads, Size h,
                               Size w, Rng& rng)
    : queries(channels, checked_key_channels(key_channels, value_channels, number_of_heads, h, w), rng, false),
      keys(channels, key_channels, rng, false),
      values(channels, value_channels, rng, false),
      heads(number_of_heads),
      height(h),
      width(w) {
  const Size d = key_channels / heads;
  const double deviation = 1 / std::sqrt(static_cast<double>(d));
  row_table = normal_init({2 * height - 1, d}, 0, deviation, rng);
  column_table = normal_init({2 * width - 1, d}, 0, deviation, rng);
}

Attended ImageAttention::operator()(const Var& x) const {
  const auto [B, C, H, W] = dims<4>(x, "image attention");
  if (H != height || W != width) {
    throw std::invalid_argument("image attention: x " + text(x.shape()) + " for tables of " + std::to_string(height) +
                                " x " + std::to_string(width));
  }
  const Size n = H * W;
  const Var r_rows = take(row_table, 0, rows_of_table(n, H, [W = W](Size i) { return i / W; }));        // [n, n, d]
  const Var r_columns = take(column_table, 0, rows_of_table(n, W, [W = W](Size i) { return i % W; }));  // [n, n, d]

  const Var pixels = pixels_of(x);                                                          // [B, n, C]
  const Var q = split_heads(queries(pixels), heads), k = split_heads(keys(pixels), heads);  // [B, heads, n, d]
  const Var v = split_heads(values(pixels), heads);
  const Var bias = einsum("bhid,ijd->bhij", {q, r_rows + r_columns}) / std::sqrt(static_cast<double>(q.shape()[3]));
  DotProductOptions options;
  options.bias = bias;
  const Attended seen = scaled_dot_attention(q, k, v, options);
  return {image_of(merge_heads(seen.context), H, W), seen.weights};
}

void ImageAttention::parameters(const Visit& visit) {
  visit("queries", queries);
  visit("keys", keys);
  visit("values", values);
  visit("row_table", row_table);
  visit("column_table", column_table);
}

AugmentedConv2d::AugmentedConv2d(Size channels, Size out_channels, Size kernel, Size key_channels,
                                 Size attention_channels, Size heads, Size height, Size width, Rng& rng)
    : conv(channels, conv_channels(out_channels, key_channels, attention_channels, heads, height, width), kernel, rng,
           same_size(kernel)) {
  if (attention_channels == 0) return;
  attention.emplace(channels, key_channels, attention_channels, heads, height, width, rng);
  output.emplace(attention_channels, attention_channels, rng);
}

Var AugmentedConv2d::operator()(const Var& x) const {
  const Var own = conv(x);
  if (!attention) return own;
  const Var seen = pixels_of((*attention)(x).context);  // [B, H · W, attention_channels]
  return concat({own, image_of((*output)(seen), x.shape()[2], x.shape()[3])}, 1);
}

void AugmentedConv2d::parameters(const Visit& visit) {
  visit("conv", conv);
  if (!attention) return;
  visit("attention", *attention);
  visit("output", *output);
}

AttentionBottleneck::AttentionBottleneck(Size channels, Size inner, Size heads, Size height, Size width, Rng& rng)
    : narrow(channels, checked_key_channels(inner, inner, heads, height, width), 1, rng, without_bias()),
      widen(inner, channels, 1, rng, without_bias()),
      attention(inner, inner, inner, heads, height, width, rng),
      narrow_norm(inner),
      attention_norm(inner),
      widen_norm(channels) {
  widen_norm.gain = Var::parameter(Tensor::zeros({channels}));
}

Var AttentionBottleneck::operator()(const Var& x, Mode mode) const {
  const Var narrowed = relu(narrow_norm(narrow(x), mode));                   // [B, inner, H, W]
  const Var seen = relu(attention_norm(attention(narrowed).context, mode));  // [B, inner, H, W]
  return relu(x + widen_norm(widen(seen), mode));
}

void AttentionBottleneck::parameters(const Visit& visit) {
  visit("narrow", narrow);
  visit("widen", widen);
  visit("attention", attention);
  visit("narrow_norm", narrow_norm);
  visit("attention_norm", attention_norm);
  visit("widen_norm", widen_norm);
}

}  // namespace attend
