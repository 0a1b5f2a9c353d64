#pragma once
#include "nn/attention/core.hpp"

namespace attend {

/// Attention within a window: query i sees the keys from i − before to i + after. The sliding window of Beltagy,
/// Peters, Cohan 2020 (arXiv:2004.05150), which has before = after = w / 2.
///   weights = softmax over the window of q kᵀ / √d        context = Σ weights · value
/// It goes by blocks of queries, each beside the keys that any of them sees, so that work and memory are O(T · window):
/// the [T, T] of a band mask is never formed. Blocks are as long as the window, for which a third or half of the
/// products are beyond it.
/// q, k [B, H, T, d], v [B, H, T, dv] -> context [B, H, T, dv], no weights. Throws std::invalid_argument for a negative
/// side and a mask other than causal_mask & padding_mask.
struct LocalAttention {
  Size before, after;

  LocalAttention(Size keys_before, Size keys_after);
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit&) {}
};

/// The multiplications of one head for T positions of width d, its softmax included.
Size local_multiplications(Size T, Size d, Size before, Size after);

}  // namespace attend
