#pragma once
#include "nn/attention/dot_product.hpp"

namespace attend {

/// x [B, T, heads · d] -> [B, heads, T, d], and back. Both are views: the heads stay where they are in memory.
/// (Reshaping straight to [B, heads, T, d] would mix positions with heads, keep every shape right and even train.)
Var split_heads(const Var& x, Size heads);
Var merge_heads(const Var& x);

/// size / heads. Throws std::invalid_argument, in the name of `op`, when the heads do not divide the size.
Size checked_head_size(Size size, Size heads, const char* op = "multi-head attention");

struct MultiHeadOptions {
  Size key_size = 0, value_size = 0;  // widths of key and value inputs; 0: that of the queries
  Size kv_heads = 0;                  // heads of keys and values; 0: as many as of the queries
  bool bias = true;                   // of all four projections
  double dropout = 0;                 // of the weights
  bool want_weights = true;           // else they are returned undefined, and where possible never formed
};

/// What a decoder has already projected: keys and values [B, kv_heads, T so far, d].
struct KeyValueCache {
  Var key, value;
  Size length() const { return key.defined() ? key.shape()[2] : 0; }
  /// The cache of the sequences `rows` of this batch, int64 [n]: what a beam search goes on with.
  KeyValueCache taken(const Tensor& rows) const;
};

/// Multi-head attention. Vaswani et al. 2017 (arXiv:1706.03762), section 3.2.2.
///   head_h = attention(query W_q[h], key W_k[h], value W_v[h])        y = [head_1 ; ... ; head_H] W_o + b_o
/// query [B, Tq, size], key [B, Tk, key_size], value [B, Tk, value_size]
///   -> y [B, Tq, size] as `context`, weights [B, heads, Tq, Tk]
/// All heads are one product per projection; `size` is heads · d. The paper's projections have no biases, those of the
/// first article and of PyTorch have.
/// With fewer kv_heads, each serves heads / kv_heads query heads: grouped-query attention, Ainslie et al. 2023
/// (arXiv:2305.13245), and with one, multi-query attention, Shazeer 2019 (arXiv:1911.02150).
struct MultiHeadAttention {
  Linear query_projection, key_projection, value_projection, output;
  Size heads, kv_heads;
  double dropout;
  bool want_weights;

  /// Throws std::invalid_argument when the heads do not divide the size, or the kv_heads the heads, and for negative
  /// widths.
  MultiHeadAttention(Size size, Size heads, Rng& rng, const MultiHeadOptions& options = {});

  Attended operator()(const Var& query, const Var& key, const Var& value, const Mask& mask = {}, Rng* rng = evaluation,
                      const Var& bias = {}) const;
  /// Self-attention. A position that no query may attend to counts as 0, as a query too.
  Attended operator()(const Var& x, const Mask& mask = {}, Rng* rng = evaluation) const {
    const Var there = hide_invisible(x, mask);
    return finish(scaled_dot_attention(query_heads(there), key_heads(there), value_heads(there),
                                       {mask, Var(), dropout, rng, want_weights}));
  }

  /// Self-attention of the next positions x [B, T, size] after those in the cache, which then holds them too. Position
  /// i sees all up to itself. Throws std::invalid_argument for another batch size or width. A step that throws leaves
  /// the cache as it is.
  Attended step(const Var& x, KeyValueCache& cache) const;

  /// The parts, for variants that change what stands between: heads of queries, keys and values (repeated to `heads`),
  /// and the end.
  Var query_heads(const Var& query) const;
  Var key_heads(const Var& key) const;
  Var value_heads(const Var& value) const;
  Attended finish(const Attended& per_head) const;

  void parameters(const Visit& visit);
};

}  // namespace attend
