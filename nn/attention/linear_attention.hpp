#pragma once
#include "nn/attention/core.hpp"
#include "nn/attention/feature_sums.hpp"

namespace attend {

/// The feature map of the linear transformer, elu(x) + 1 > 0. Written that way it would be 0 in float32 from x = −18
/// on, since −1 + 1e−8 is −1; here it is x + 1 above 0, else eˣ.
Var elu_features(const Var& x);

/// Linear attention. Katharopoulos et al. 2020 (arXiv:2006.16236).
///   context_i = φ(q_i)ᵀ S / φ(q_i)ᵀ z        S = Σ φ(k_j) v_jᵀ,  z = Σ φ(k_j),  φ(x) = elu(x) + 1
/// where the sums go over all keys or, causal, over those up to i. It is softmax attention with exp(q · k / √d)
/// replaced by φ(q) · φ(k), and costs O(T · d · dv) instead of O(T²); as in the paper there is no 1/√d. Causal sums go
/// by chunks.
/// q, k [B, H, T, d], v [B, H, T, dv] -> context [B, H, T, dv], no weights. Throws std::invalid_argument for a mask
/// other than causal_mask & padding_mask.
struct LinearAttention {
  Size chunk;

  /// Throws std::invalid_argument for chunks of less than 1 position.
  explicit LinearAttention(Size positions_per_chunk = 64);
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;

  /// The next positions q, k [B, H, t, d], v [B, H, t, dv] after those in the state, which then holds them too: what
  /// decoding needs, at the same cost for every position. Throws as sums_step does.
  Attended step(const Var& q, const Var& k, const Var& v, RunningSums& state) const;

  void parameters(const Visit&) {}
};

}  // namespace attend
