// Normalisations of whole feature maps and of vectors; LayerNorm stands in nn/layer_norm.hpp.
#pragma once
#include "nn/parameters.hpp"

namespace attend {

/// Whether a layer that behaves differently while it is trained is being trained.
enum class Mode { training, evaluation };

/// Batch normalisation. Ioffe and Szegedy 2015 (arXiv:1502.03167).
///   y = (x − mean) / √(variance + epsilon) · gain + bias       for each channel
/// x [B, C, ...] -> the same. In training, mean and variance are those of the batch (the variance divides by n), and
/// the running ones move towards them by `momentum`: the running variance by the batch's unbiased one (divided by n −
/// 1), as in PyTorch. In evaluation the running ones are used, so that a sample does not depend on its batch mates.
struct BatchNorm {
  Var gain, bias;                                 // [C]
  mutable Tensor running_mean, running_variance;  // [C], buffers, which move while a model is trained
  double momentum, epsilon;

  explicit BatchNorm(Size channels, double momentum = 0.1, double epsilon = 1e-5);
  /// Training moves the running statistics. Throws std::invalid_argument, and leaves them as they are, for another
  /// number of channels or dtype, and in training for a single number per channel, which has no variance.
  Var operator()(const Var& x, Mode mode) const;
  void parameters(const Visit& visit);
};

/// Group normalisation. Wu and He 2018 (arXiv:1803.08494). The channels of each sample in `groups` groups, each
/// normalised over its channels and all positions. x [B, C, ...] -> the same. Throws std::invalid_argument when the
/// groups do not divide the channels, and for an x without positions.
struct GroupNorm {
  Var gain, bias;  // [C]
  Size groups;
  double epsilon;

  GroupNorm(Size channels, Size groups, double epsilon = 1e-5);
  Var operator()(const Var& x) const;
  void parameters(const Visit& visit);
};

/// Root-mean-square normalisation. Zhang and Sennrich 2019 (arXiv:1910.07467).
///   y = x / √(mean x² + epsilon) · gain        over the last axis
struct RMSNorm {
  Var gain;  // [size]
  double epsilon;

  explicit RMSNorm(Size size, double epsilon = 1e-6);
  Var operator()(const Var& x) const;
  void parameters(const Visit& visit) { visit("gain", gain); }
};

}  // namespace attend
