#pragma once
#include "nn/parameters.hpp"

namespace attend {

/// Layer normalisation. Ba, Kiros, Hinton 2016 (arXiv:1607.06450).
///   y = (x − mean) / √(variance + epsilon) · gain + bias
/// over the last axis: x [..., size] -> y [..., size]; gain begins at 1 and bias at 0. The variance divides by `size`,
/// not by size − 1, and epsilon stands inside the root, as in PyTorch; the paper has no epsilon.
struct LayerNorm {
  Var gain, bias;  // [size]
  double epsilon;

  /// Throws std::invalid_argument when size is below 1.
  explicit LayerNorm(Size size, double epsilon = 1e-5);
  /// Throws std::invalid_argument when the last axis of x has not `size` elements.
  Var operator()(const Var& x) const;
  void parameters(const Visit& visit);
};

}  // namespace attend
