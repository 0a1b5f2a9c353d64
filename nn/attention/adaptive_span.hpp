#pragma once
#include "nn/attention/core.hpp"

namespace attend {

/// Attention whose heads learn how far they look. Sukhbaatar, Grave, Bojanowski, Joulin 2019 (arXiv:1905.07799).
///   m_z(x) = clip((ramp + z − x) / ramp, 0, 1)        weights = m_z(|i − j|) exp(q kᵀ / √d), divided by their sum
/// Keys up to the distance z count whole, and those from z + ramp on not at all. It goes by the blocks of
/// LocalAttention with a window of `largest`, the most that z can be: O(T · largest), of which the distances beyond
/// z + ramp are still formed. Beyond `largest` there is nothing, so that a z near it has no ramp. The paper is causal;
/// without a causal mask the span here reaches as far to both sides.
/// q, k [B, H, T, d], v [B, H, T, dv] -> context [B, H, T, dv], no weights. Throws std::invalid_argument for a mask
/// other than causal_mask & padding_mask.
struct AdaptiveSpan {
  Var span;  // [heads], z of each; [1]: one for all heads
  double ramp;
  Size largest;

  /// Throws std::invalid_argument for fewer than 1 head, ramp <= 0, largest < 0 and an initial z outside 0 .. largest.
  AdaptiveSpan(Size heads, Size largest, double ramp = 32, double initial = 0);
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;

  /// The mean of z over the heads: what is added to the loss, times a small factor, so that spans stay short.
  Var penalty() const { return mean(span); }
  /// Puts every z back to 0 .. largest; to be called after each step of the optimizer. (Attention itself takes a z
  /// outside for the nearest end, where it has no derivative and would never come back.)
  void clamp_span();
  void parameters(const Visit& visit) { visit("span", span); }
};

/// The multiplications of one head for T positions of width d.
Size adaptive_span_multiplications(Size T, Size d, Size largest);

}  // namespace attend
