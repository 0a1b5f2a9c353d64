#pragma once
#include <vector>

#include "nn/attention/core.hpp"

namespace attend {

/// The parts of SNAIL, for sequences of examples and answers: convolutions gather what came shortly before, attention
/// finds single positions far back. Mishra, Rohaninejad, Chen, Abbeel 2018 (arXiv:1707.03141), section 3. Each part
/// puts what it found behind its input, so that widths grow. All are causal: padding behind a sequence cannot reach
/// it, and there is no mask.

/// A causal convolution over positions t and t − dilation, with a gate:
///   y = [x ; tanh(f) ⊙ σ(g)]        f_t = [x_(t − dilation) ; x_t] W_f + b_f, g likewise
/// x [B, T, size] -> y [B, T, size + filters]; what is before the first position counts as 0.
struct SnailDense {
  Linear filter, gate;  // [2 size, filters]
  Size dilation;

  /// Throws std::invalid_argument for sizes or a dilation below 1.
  SnailDense(Size size, Size filters, Size dilation, Rng& rng);
  Var operator()(const Var& x) const;
  void parameters(const Visit& visit) {
    visit("filter", filter);
    visit("gate", gate);
  }
};

/// Such convolutions with the dilations 1, 2, 4, .., as many as it takes for the last position to see `positions` of
/// them. x [B, T, size] -> [B, T, size + filters · ⌈log2 positions⌉].
struct SnailTemporal {
  std::vector<SnailDense> layers;

  SnailTemporal(Size size, Size positions, Size filters, Rng& rng);
  Var operator()(const Var& x) const;
  void parameters(const Visit& visit) { visit("layers", layers); }
};

/// One head of causal attention:   y = [x ; softmax(q kᵀ / √key_size) v]
/// x [B, T, size] -> y [B, T, size + value_size] as `context`, weights [B, T, T]. The projections have no biases: one
/// of keys would move all scores of a query alike, one of values all results.
struct SnailAttention {
  Linear query, key, value;

  SnailAttention(Size size, Size key_size, Size value_size, Rng& rng)
      : query(size, key_size, rng, false), key(size, key_size, rng, false), value(size, value_size, rng, false) {}
  Attended operator()(const Var& x) const;
  void parameters(const Visit& visit) {
    visit("query", query);
    visit("key", key);
    visit("value", value);
  }
};

struct SnailSizes {
  Size filters, key_size, value_size;
};

/// Convolutions, then attention, as the paper stacks them: x [B, T, size] -> [B, T, width()], weights [B, T, T].
struct SnailBlock {
  SnailTemporal temporal;
  SnailAttention attention;

  SnailBlock(Size size, Size positions, const SnailSizes& sizes, Rng& rng);
  Attended operator()(const Var& x) const { return attention(temporal(x)); }
  Size width() const { return attention.query.weight.shape()[0] + attention.value.weight.shape()[1]; }
  void parameters(const Visit& visit) {
    visit("temporal", temporal);
    visit("attention", attention);
  }
};

}  // namespace attend
