#pragma once
#include "nn/attention/core.hpp"

namespace attend {

/// Attention whose query decides how much of what was found goes on. Qiu et al. 2025 (arXiv:2505.06708).
///   gate = σ(q W_g + b_g)        context = gate ⊙ core(q, k, v)
/// The paper's gate reads the layer's input x, of which q is a projection, here it reads q, head by head with one W_g
/// for all. One gate for a query (the paper's "headwise") or one for each of the dv numbers ("elementwise").
/// q, k [B, H, T, d], v [B, H, T, dv] -> context [B, H, T, dv], weights as the core gives them, without the gate.
struct GatedAttention {
  AttentionCore core;
  Linear gate;  // W_g [d, 1] or [d, dv]

  /// Throws std::invalid_argument for sizes below 1.
  GatedAttention(AttentionCore any, Size d, Size gates, Rng& rng) : core(std::move(any)), gate(d, gates, rng) {}
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit& visit) {
    visit("core", core);
    visit("gate", gate);
  }
};

}  // namespace attend
