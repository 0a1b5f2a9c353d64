#pragma once
#include "nn/attention/dot_product.hpp"

namespace attend {

/// Self-attention with one head, as the second of the two articles that this book answers to prints it: query, key and
/// value come from one input by projections without bias, and the result passes through one with bias.
///   context = softmax(Q Kᵀ / √size) V        y = context W_o + b_o
/// x [B, T, size] -> y [B, T, size] as `context`, weights [B, T, T]. A position that no query may attend to counts as
/// 0.
struct SelfAttention {
  Linear queries, keys, values;  // without bias
  Linear output;

  SelfAttention(Size size, Rng& rng);
  Attended operator()(const Var& x, const Mask& mask = {}) const;
  void parameters(const Visit& visit);
};

}  // namespace attend
