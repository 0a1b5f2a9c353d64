// Channel attention beyond squeeze-and-excitation: the second article's, CBAM and ECA.
#pragma once
#include "nn/attention/squeeze_excitation.hpp"
#include "nn/conv.hpp"

namespace attend {

/// Channel attention as the second article prints it, which is the channel half of CBAM. Woo et al. 2018
/// (arXiv:1807.06521).
///   gates = σ(F(average over positions) + F(maximum over positions))        F = W_2 relu(W_1 ·), shared
/// x [B, C, H, W] -> y = gates · x. W_1 and W_2 are 1 × 1 convolutions without bias. (The print lost the "+" between
/// the two halves.) On constant maps both halves are equal, and it is SqueezeExcitation with twice W_2.
struct ChannelAttention {
  Conv2d squeeze, excite;

  /// Throws std::invalid_argument when channels / reduction is less than 1.
  ChannelAttention(Size channels, Rng& rng, Size reduction = 16);
  Var gates(const Var& x) const;  // [B, C, 1, 1]
  Var operator()(const Var& x) const { return x * gates(x); }
  void parameters(const Visit& visit);
};

/// The spatial half of CBAM: a gate for each position, from the mean and the maximum over the channels.
///   gates = σ(conv 7 × 7 ([mean ; maximum]))
struct SpatialAttention {
  Conv2d conv;

  explicit SpatialAttention(Rng& rng, Size kernel = 7);
  Var gates(const Var& x) const;  // [B, 1, H, W]
  Var operator()(const Var& x) const { return x * gates(x); }
  void parameters(const Visit& visit) { visit("conv", conv); }
};

/// CBAM: channels first, then positions.
struct CBAM {
  ChannelAttention channel;
  SpatialAttention spatial;

  CBAM(Size channels, Rng& rng, Size reduction = 16) : channel(channels, rng, reduction), spatial(rng) {}
  Var operator()(const Var& x) const { return spatial(channel(x)); }
  void parameters(const Visit& visit);
};

/// Efficient channel attention. Wang et al. 2019 (arXiv:1910.03151): the gate of a channel from itself and its
/// neighbours, by one convolution of k weights along the channels; k is the odd number next to |log₂(C) / 2 + 1 / 2|.
///   gates = σ(conv_k(average over positions))
struct ECA {
  Conv1d conv;

  ECA(Size channels, Rng& rng);
  static Size kernel_size(Size channels);
  Var gates(const Var& x) const;  // [B, C]
  Var operator()(const Var& x) const { return gated_channels(x, gates(x)); }
  void parameters(const Visit& visit) { visit("conv", conv); }
};

}  // namespace attend
