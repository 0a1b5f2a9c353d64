#pragma once
#include "nn/linear.hpp"

namespace attend {

/// Squeeze-and-excitation. Hu, Shen, Sun 2017 (arXiv:1709.01507).
///   z_c = mean over positions of x_c        s = σ(W_2 relu(W_1 z))        y_c = s_c · x_c
/// x [B, C, H, W] -> y [B, C, H, W]; W_1 [C, C / reduction], W_2 [C / reduction, C]. The gates lie within (0, 1) each
/// and do not sum to 1: this is no softmax. The biases are left out unless asked for, as in the paper's equation.
struct SqueezeExcitation {
  Linear squeeze, excite;  // W_1, W_2

  /// Throws std::invalid_argument when C / reduction is less than 1.
  SqueezeExcitation(Size channels, Size reduction, Rng& rng, bool bias = false);
  /// s [B, C].
  Var gates(const Var& x) const;
  Var operator()(const Var& x) const;
  void parameters(const Visit& visit);
};

/// The size of a bottleneck. Throws std::invalid_argument when channels / reduction is less than 1.
Size bottleneck_size(const char* op, Size channels, Size reduction);

/// [B, C] gates applied to x [B, C, H, W]. Throws std::invalid_argument for another number of axes.
Var gated_channels(const Var& x, const Var& gates);

}  // namespace attend
