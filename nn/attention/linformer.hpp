#pragma once
#include "nn/attention/core.hpp"

namespace attend {

/// Keys and values are projected from T positions to k. Wang, Li, Khabsa, Fang, Ma 2020 (arXiv:2006.04768), equation 7.
///   weights = softmax(q (E key)ᵀ / √d)        context = weights (F value)
/// E and F [k, T] are learned, so T is fixed, and all heads share them (the paper's headwise sharing); with
/// `share_projections` they are one matrix (its key-value sharing). They begin normal with the variance 1 / k, as the
/// random projections of its proofs. The softmax is over k mixtures of positions: there is no causal form.
/// q, k [B, H, T, d], v [B, H, T, dv] -> context [B, H, T, dv], no weights. A key that is not there is 0 before E and F
/// and has no part in the mixtures. Throws std::invalid_argument for a k outside 1 .. T, another T than that of the
/// constructor, and a mask other than padding_mask.
struct LinformerAttention {
  Var E;  // [k, T]
  Var F;  // the same; undefined where E serves for both

  LinformerAttention(Size T, Size k, Rng& rng, bool share_projections = false);
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit& visit);
};

/// The multiplications of one head for T positions of width d, its softmax included.
Size linformer_multiplications(Size T, Size d, Size k);

}  // namespace attend
