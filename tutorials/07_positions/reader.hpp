#pragma once
#include <optional>
#include <vector>

#include "nn/embedding.hpp"
#include "nn/position/relative.hpp"
#include "nn/position/sinusoidal.hpp"
#include "nn/transformer.hpp"
#include "tutorials/07_positions/scheme.hpp"

/// The model of this chapter: a small transformer that reads from left to right, and the places where a position can
/// enter it.

namespace attend::chapter07 {

struct ReaderSize {
  Size symbols;
  Size size = 64, heads = 4, hidden = 128, layers = 2;
  Size longest = 96;  // rows of a table of learned positions
  Size most = 16;     // relative: distances with a vector of their own, on either side
  Size buckets = 32;  // T5
};

/// Self-attention in which the scheme has its part: x [B, T, size] -> the same.
struct PositionedAttention {
  Scheme scheme;
  Fault fault;
  std::optional<MultiHeadAttention> heads;    // of all schemes but `relative`
  std::optional<RelativeAttention> relative;  // which has its own
  std::optional<T5Bias> buckets;

  PositionedAttention(const ReaderSize& size, Scheme scheme, Fault fault, Rng& rng);
  Attended operator()(const Var& x, const Mask& mask) const;
  void parameters(const Visit& visit);

 private:
  Var bias(Size T, DType dtype) const;
};

/// An EncoderLayer with such an attention:   y = x + attention(norm(x))        z = y + feed_forward(norm(y))
struct Block {
  PositionedAttention attention;
  FeedForward feed_forward;
  LayerNorm attention_norm, feed_forward_norm;

  Block(const ReaderSize& size, Scheme scheme, Fault fault, Rng& rng);
  Var operator()(const Var& x, const Mask& mask) const;
  void parameters(const Visit& visit);
};

/// Tokens, positions, blocks, scores of the symbols; each position sees those before it and itself.
struct Reader {
  Scheme scheme;
  Fault fault;
  Embedding tokens;
  std::optional<LearnedPositions> learned;
  std::vector<Block> blocks;
  LayerNorm norm;
  Linear output;

  Reader(const ReaderSize& size, Scheme scheme, Fault fault, Rng& rng);
  /// ids, int64 [B, T] -> scores [B, T, symbols]. The first token stands at position `first`, which matters to those
  /// schemes alone that add positions to tokens.
  Var operator()(const Tensor& ids, Size first = 0) const;
  void parameters(const Visit& visit);

 private:
  Var with_positions(const Var& x, Size first) const;
};

}  // namespace attend::chapter07
