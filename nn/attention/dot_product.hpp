#pragma once
#include "nn/attention/attended.hpp"
#include "nn/dropout.hpp"
#include "nn/linear.hpp"

namespace attend {

/// Multiplicative attention. Luong, Pham, Manning 2015 (arXiv:1508.04025), "dot".
///   score(q, k) = qᵀ k        weights = softmax over keys        context = Σ weights · value
/// query [..., Tq, D], key [..., Tk, D], value [..., Tk, Dv] -> context [..., Tq, Dv], weights [..., Tq, Tk], where ...
/// is B or B, H. Throws std::invalid_argument for sizes that do not fit each other or the mask.
Attended dot_attention(const Var& query, const Var& key, const Var& value, const Mask& mask = {});

/// How scaled dot-product attention can be changed.
struct DotProductOptions {
  Mask mask = {};
  Var bias = {};       // added to the scores before the mask; broadcasts to [..., Tq, Tk]
  double dropout = 0;  // of the weights, after the softmax; needs an Rng
  Rng* rng = evaluation;
  bool want_weights = true;  // false: nobody asks for them, and they are returned undefined
};

/// Scaled dot-product attention. Vaswani et al. 2017 (arXiv:1706.03762), equation 1.
///   weights = softmax(q kᵀ / √D + bias)        context = weights · value
/// For unit-variance q and k the scores have the variance D; divided by √D they have the variance 1, and the softmax is
/// not driven into its flat ends. The scale is folded into q, the smaller operand. Where nobody asks for the weights it
/// is blockwise attention, which never forms them and gives the same up to rounding; not so with a bias or dropout.
/// Throws std::invalid_argument as dot_attention does, and for a bias that does not broadcast to the scores.
Attended scaled_dot_attention(const Var& query, const Var& key, const Var& value,
                              const DotProductOptions& options = {});

/// Luong's "general" score, for queries and keys of different widths:   score(q, k) = qᵀ W k
/// query [B, Tq, Dq], key [B, Tk, Dk], W [Dq, Dk].
struct GeneralAttention {
  Linear weight;  // W, without a bias

  GeneralAttention(Size query_size, Size key_size, Rng& rng) : weight(query_size, key_size, rng, false) {}
  Attended operator()(const Var& query, const Var& key, const Var& value, const Mask& mask = {}) const {
    return dot_attention(weight(query), key, value, mask);
  }
  void parameters(const Visit& visit) { visit("weight", weight); }
};

}  // namespace attend
