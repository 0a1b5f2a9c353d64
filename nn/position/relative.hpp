// Positions as distances: the one place where query i and key j become "how far, and which way".
#pragma once
#include "nn/attention/multi_head.hpp"
#include "nn/init.hpp"
#include "nn/parameters.hpp"

namespace attend {

/// j − i − (Tk − Tq) for query i and key j, [Tq, Tk]: how far the key lies behind the query's own place, negative for
/// what came before. The last query is aligned with the last key, as in causal_mask. Throws std::invalid_argument for a
/// negative number of either.
Tensor relative_distance(Size Tq, Size Tk);

/// The row of a table of 2 · most + 1 distances: distance clipped to −most .. most, plus most. int64, like `distance`.
/// Throws std::invalid_argument for another dtype, and for most < 0.
Tensor clipped_distance(const Tensor& distance, Size most);

/// T5's buckets. Raffel et al. 2019 (arXiv:1910.10683): half of the buckets for keys ahead, half for keys behind (all
/// for keys behind in a causal model); of each, half hold one distance and the rest grow with its logarithm up to
/// `farthest`, beyond which all fall into the last. int64 [Tq, Tk] in 0 .. buckets − 1.
Tensor t5_bucket(const Tensor& distance, Size buckets = 32, Size farthest = 128, bool both_directions = true);

/// A learned number for each bucket and head, added to the scores. T5 has no 1/√d in its scores: that is left to the
/// caller.
struct T5Bias {
  Var table;  // [buckets, heads]
  Size farthest;
  bool both_directions;

  /// Throws std::invalid_argument for no heads, fewer than 4 buckets, an odd number for both directions, or a
  /// `farthest` within the buckets of one distance.
  T5Bias(Size heads, Rng& rng, Size buckets = 32, Size farthest = 128, bool both_directions = true);
  /// [1, heads, Tq, Tk]
  Var operator()(Size Tq, Size Tk) const;
  void parameters(const Visit& visit) { visit("table", table); }
};

/// A learned number for each offset (dy, dx) in a window of height × width positions in row-major order, and each head.
/// Liu et al. 2021 (arXiv:2103.14030).
struct WindowBias {
  Var table;  // [(2 height − 1)(2 width − 1), heads]
  Size height, width;

  /// Throws std::invalid_argument for sizes below 1.
  WindowBias(Size heads, Size height, Size width, Rng& rng);
  /// [1, heads, height · width, height · width]
  Var operator()() const;
  void parameters(const Visit& visit) { visit("table", table); }
};

/// Attention with linear biases. Press, Smith, Lewis 2021 (arXiv:2108.12409): −m_h · |distance|, with m_h = 2^(−8h /
/// heads) for h = 1 .. heads where that is a power of two; else the slopes of the next lower power, and every second
/// one of the next higher. Nothing is learned. [1, heads, Tq, Tk]. The paper is causal, where distances are never
/// positive.
Tensor alibi_slopes(Size heads);  // [heads]
Var alibi_bias(Size heads, Size Tq, Size Tk, DType dtype = DType::float32);

/// Relative keys and values. Shaw, Uszkoreit, Vaswani 2018 (arXiv:1803.02155).
///   score(i, j) = q_i · (k_j + a^K[distance]) / √d        context_i = Σ weight(i, j) (v_j + a^V[distance])
/// with distances clipped to −most .. most, and the same tables for all heads.
struct RelativeAttention {
  MultiHeadAttention heads;
  Var key_table, value_table;  // [2 most + 1, d]
  Size most;

  /// Throws std::invalid_argument when the heads do not divide the size, and for most < 0.
  RelativeAttention(Size size, Size heads, Size most, Rng& rng);
  /// Self-attention: x [B, T, size] -> the same.
  Attended operator()(const Var& x, const Mask& mask = {}) const;
  void parameters(const Visit& visit);
};

}  // namespace attend
