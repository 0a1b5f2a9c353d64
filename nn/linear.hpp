#pragma once
#include "nn/init.hpp"
#include "nn/parameters.hpp"

namespace attend {

/// y = x W + b
/// x [..., in] -> y [..., out]; W [in, out], b [out], or no b at all.
/// W begins Xavier-uniform and b at 0. (PyTorch stores Wᵀ [out, in] and begins with U(±1/√in) for both.)
struct Linear {
  Var weight, bias;

  Linear(Size in, Size out, Rng& rng, bool with_bias = true);
  /// Throws std::invalid_argument when the last axis of x has not `in` elements.
  Var operator()(const Var& x) const;
  void parameters(const Visit& visit);
};

}  // namespace attend
