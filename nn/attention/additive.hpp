#pragma once
#include "nn/attention/attended.hpp"
#include "nn/linear.hpp"

namespace attend {

/// Additive attention. Bahdanau, Cho, Bengio 2015 (arXiv:1409.0473).
///   score(q, k) = vᵀ tanh(W_q q + W_k k)        weights = softmax over keys        context = Σ weights · value
/// query [B, Tq, Dq], key [B, Tk, Dk], value [B, Tk, Dv] -> context [B, Tq, Dv], weights [B, Tq, Tk]
struct AdditiveAttention {
  Linear query_projection, key_projection;  // W_q, W_k, without biases
  Var v;                                    // [hidden]

  AdditiveAttention(Size query_size, Size key_size, Size hidden, Rng& rng);
  /// Throws std::invalid_argument for sizes that do not fit each other, the weights or the mask.
  Attended operator()(const Var& query, const Var& key, const Var& value, const Mask& mask = {}) const;
  /// The same in parts, for a decoder that asks step by step and projects its keys only once:
  /// W_k k [B, Tk, hidden], the scores [B, Tq, Tk], and the attention that begins with projected keys.
  Var projected(const Var& key, const Mask& mask = {}) const;
  Var scores(const Var& query, const Var& projected_key) const;
  Attended attend(const Var& query, const Var& projected_key, const Var& value, const Mask& mask = {}) const;
  void parameters(const Visit& visit);
};

}  // namespace attend
