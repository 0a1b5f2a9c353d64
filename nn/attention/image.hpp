// Attention between the pixels of an image, and the two layers that put it beside and between convolutions.
#pragma once
#include <optional>

#include "nn/attention/multi_head.hpp"
#include "nn/conv.hpp"
#include "nn/norm.hpp"

namespace attend {

/// Multi-head self-attention of all pixels, with learned relative positions along rows and along columns. Bello et al.
/// 2019 (arXiv:1904.09925), section 3.2; Srinivas et al. 2021 (arXiv:2101.11605) use the same.
///   score(i, j) = q_i · (k_j + r^H[row_j − row_i] + r^W[column_j − column_i]) / √d
///   context_i = Σ weight(i, j) v_j
/// with q = x W_q, k = x W_k, v = x W_v at each pixel, without biases, and tables r that all heads share.
/// x [B, C, H, W] -> context [B, value_channels, H, W], weights [B, heads, H · W, H · W]. There is no projection of the
/// result: what follows brings its own.
struct ImageAttention {
  Linear queries, keys, values;  // [C, key_channels], [C, key_channels], [C, value_channels]
  Var row_table, column_table;   // r^H [2 height − 1, d], r^W [2 width − 1, d], with d = key_channels / heads
  Size heads, height, width;

  /// Throws std::invalid_argument when the heads do not divide the channels of keys and values, and for an image of
  /// nothing.
  ImageAttention(Size channels, Size key_channels, Size value_channels, Size heads, Size height, Size width, Rng& rng);
  /// Throws std::invalid_argument for an image of another size, for the tables have that of the construction.
  Attended operator()(const Var& x) const;
  void parameters(const Visit& visit);
};

/// Attention-augmented convolution. Bello et al. 2019 (arXiv:1904.09925), section 3.
///   y = [conv(x) ; W_o attention(x) + b_o]        concatenated over the channels
/// x [B, C, H, W] -> y [B, out_channels, H, W], of which the last `attention_channels` come from attention. The kernel
/// is odd and the image keeps its size. Without attention channels it is a plain convolution; the paper also allows
/// attention alone, this does not.
struct AugmentedConv2d {
  Conv2d conv;
  std::optional<ImageAttention> attention;  // neither is there without attention channels
  std::optional<Linear> output;

  /// Throws std::invalid_argument unless 0 <= attention_channels < out_channels, for an even kernel, and as
  /// ImageAttention.
  AugmentedConv2d(Size channels, Size out_channels, Size kernel, Size key_channels, Size attention_channels, Size heads,
                  Size height, Size width, Rng& rng);
  Var operator()(const Var& x) const;
  void parameters(const Visit& visit);
};

/// The bottleneck block of a residual network, its 3 × 3 convolution replaced by attention. Srinivas et al. 2021
/// (arXiv:2101.11605).
///   y = relu(x + norm(W_3 relu(norm(attention(relu(norm(W_1 x)))))))
/// with 1 × 1 convolutions W_1 [channels to inner] and W_3 [inner to channels], and batch norms. The last norm's gain
/// begins at 0, so that the block begins as relu(x). x [B, channels, height, width] -> the same.
struct AttentionBottleneck {
  Conv2d narrow, widen;
  ImageAttention attention;
  BatchNorm narrow_norm, attention_norm, widen_norm;

  AttentionBottleneck(Size channels, Size inner, Size heads, Size height, Size width, Rng& rng);
  Var operator()(const Var& x, Mode mode) const;
  void parameters(const Visit& visit);
};

}  // namespace attend
