// The transformer's layers. Vaswani et al. 2017 (arXiv:1706.03762).
#pragma once
#include "nn/attention/multi_head.hpp"
#include "nn/layer_norm.hpp"

namespace attend {

/// Where a residual block normalises. The paper's x = norm(x + block(x)) needs a learning rate that warms up; with
/// x = x + block(norm(x)) a straight path leads from end to start. Xiong et al. 2020 (arXiv:2002.04745).
enum class NormPlace { before, after };

struct TransformerOptions {
  Size size = 64, heads = 4, hidden = 256;  // width, heads, width of the feed-forward part
  double dropout = 0;                       // of the attention's weights and of each block's result
  NormPlace norm = NormPlace::before;
  bool blockwise = false;  // self-attention forms no weights, where it drops none; the same up to rounding
};

/// relu(x W_1 + b_1) W_2 + b_2, position by position: x [B, T, size] -> the same.
struct FeedForward {
  Linear widen, narrow;

  FeedForward(Size size, Size hidden, Rng& rng);
  Var operator()(const Var& x) const;
  void parameters(const Visit& visit);
};

/// Self-attention and feed-forward, each with a residual connection and a layer norm: x [B, T, size] -> the same. A
/// position that no query may attend to counts as 0, so that not even a NaN in the padding reaches a derivative.
struct EncoderLayer {
  MultiHeadAttention attention;
  FeedForward feed_forward;
  LayerNorm attention_norm, feed_forward_norm;
  double dropout;
  NormPlace norm;

  EncoderLayer(const TransformerOptions& options, Rng& rng);
  Var operator()(const Var& x, const Mask& mask = {}, Rng* rng = evaluation) const;
  void parameters(const Visit& visit);
};

/// What a decoder layer remembers from one step to the next: its own keys and values, and those of the encoder's
/// states, which stay the same.
struct DecoderCache {
  KeyValueCache self;
  Var memory_key, memory_value;  // [B, heads, Tx, d]
  /// The cache of the sequences `rows` of this batch, int64 [n]: what a beam search goes on with.
  DecoderCache taken(const Tensor& rows) const;
};

/// Causal self-attention, attention to the encoder's states (`memory`), feed-forward.
/// x [B, Ty, size], memory [B, Tx, size] -> y [B, Ty, size] as `context`, weights of the attention to the memory
/// [B, heads, Ty, Tx].
struct DecoderLayer {
  MultiHeadAttention self_attention, memory_attention;
  FeedForward feed_forward;
  LayerNorm self_norm, memory_norm, feed_forward_norm;
  double dropout;
  NormPlace norm;

  DecoderLayer(const TransformerOptions& options, Rng& rng);
  Attended operator()(const Var& x, const Var& memory, const Mask& memory_mask = {}, Rng* rng = evaluation) const;
  /// The same for the next positions of x alone: what came before stands in the cache, and so do the keys and values of
  /// the memory from the first step on. Throws std::invalid_argument, and leaves the cache as it is, for another batch
  /// size.
  Attended step(const Var& x, const Var& memory, DecoderCache& cache, const Mask& memory_mask = {}) const;
  void parameters(const Visit& visit);
};

}  // namespace attend
