#pragma once
#include "nn/attention/core.hpp"

namespace attend {

/// Attention whose keys are its queries, as far as their direction goes. Kitaev, Kaiser, Levskaya 2020
/// (arXiv:2001.04451), section 2, "shared-QK Transformer".
///   k = q / ‖q‖        weights = softmax over j ≠ i of q_i k_jᵀ / √d        context = Σ weights · value
/// No key is as near to a query as its own, so a position attends to itself only where there is nothing else.
/// q [B, H, T, d], v [B, H, T, dv] -> context [B, H, T, dv], weights [B, H, T, T]. The k that it is given must fit, as
/// for every attention between heads, but is not looked at: no derivative flows to it.
struct SharedQueryKeyAttention {
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit&) {}
};

/// The multiplications of one head for T positions of width d.
Size shared_query_key_multiplications(Size T, Size d);

}  // namespace attend
