#pragma once
#include "nn/init.hpp"
#include "nn/parameters.hpp"
#include "tensor/convolution.hpp"

namespace attend {

/// How a convolution walks (tensor/convolution.hpp), and whether its layer has a bias.
struct ConvOptions : Convolution {
  bool bias = true;
};

/// The padding with which a kernel of odd size keeps the size of the input. Throws std::invalid_argument, in the name
/// of `op`, for an even one.
Size same_padding(const char* op, Size kernel);

/// Convolution in two dimensions (without flipping the kernel, as all networks do: a cross-correlation).
///   y[b, o, i, j] = bias[o] + Σ_c Σ_u Σ_v weight[o, c, u, v] · x[b, c, row, column]
///   with row = i · stride + u · dilation and column = j · stride + v · dilation, in the padded input
/// x [B, C, H, W] -> y [B, O, H', W'] with H' = (H + 2 padding − dilation (kernel − 1) − 1) / stride + 1, rounded down;
/// weight [O, C / groups, kernel, kernel]. Begins Kaiming-uniform, for the relu that mostly follows, and the bias at 0.
struct Conv2d {
  Var weight, bias;
  ConvOptions options;

  /// Throws std::invalid_argument for sizes below 1, and groups that do not divide both numbers of channels.
  Conv2d(Size channels, Size out_channels, Size kernel, Rng& rng, const ConvOptions& options = {});
  /// Throws std::invalid_argument when the channels differ or the kernel is larger than the padded input.
  Var operator()(const Var& x) const;
  void parameters(const Visit& visit);
};

/// The same in one dimension: x [B, C, T] -> y [B, O, T']; weight [O, C / groups, kernel].
struct Conv1d {
  Var weight, bias;
  ConvOptions options;

  Conv1d(Size channels, Size out_channels, Size kernel, Rng& rng, const ConvOptions& options = {});
  Var operator()(const Var& x) const;
  void parameters(const Visit& visit);
};

/// What Conv2d computes, from its weight [O, C / groups, height, width]: bias [O] may be undefined. Throws
/// std::invalid_argument as the layer and its constructor do.
Var conv2d(const Var& x, const Var& weight, const Var& bias, const Convolution& how);

}  // namespace attend
