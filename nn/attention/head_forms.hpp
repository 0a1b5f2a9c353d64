// The two ways in which the articles print multi-head attention, and what is new in each of them: a loop over the
// heads, einsum, and one small projection for all heads. All compute what MultiHeadAttention computes (the last under a
// condition), in other steps.
#pragma once
#include "nn/attention/multi_head.hpp"

namespace attend {

/// The first article's form: one head after the other in a loop, then concatenated.
///   head_h = softmax(Q[h] K[h]ᵀ / √d) V[h]        y = [head_1 ; ... ; head_H] W_o + b_o
/// The same numbers as `layer`, whose projections it uses. x [B, T, size].
Attended attend_in_a_loop(const MultiHeadAttention& layer, const Var& x, const Mask& mask = {});

/// The second article's lines behind the projections: heads stay where they are, and einsum says which axes meet.
///   scores = einsum("bqhd,bkhd->bhqk", Q, K) / √d        context = einsum("bhql,blhd->bqhd", softmax(scores), V)
/// The same numbers as `layer`, whose projections it uses. (Under a mask the second einsum would let a hidden NaN
/// through; weighted_sum takes its place.) x [B, T, size].
Attended attend_by_einsum(const MultiHeadAttention& layer, const Var& x, const Mask& mask = {});

/// The second article's form: the input is cut into heads first, and one small projection [d, d] without bias is shared
/// by all heads.
///   Q[h] = x[h] W_q      K[h] = x[h] W_k      V[h] = x[h] W_v      y = [head_1 ; ... ; head_H] W_o + b_o
/// It is MultiHeadAttention with W = I ⊗ w, block-diagonal with equal blocks, and no biases before the output: head h
/// sees only its own slice of the input. By einsum, as printed. x [B, T, heads · d] -> y of the same shape, weights [B,
/// heads, T, T].
struct SharedHeadAttention {
  Linear values, keys, queries;  // [d, d], without bias
  Linear output;                 // [heads · d, heads · d]
  Size heads;

  /// Throws std::invalid_argument when the heads do not divide the size.
  SharedHeadAttention(Size size, Size heads, Rng& rng);
  Attended operator()(const Var& x, const Mask& mask = {}) const;
  void parameters(const Visit& visit);
};

}  // namespace attend
