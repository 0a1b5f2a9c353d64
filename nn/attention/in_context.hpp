#pragma once
#include "nn/linear.hpp"

namespace attend {

/// Linear self-attention over the examples of a context, without a softmax. Von Oswald et al. 2022 (arXiv:2212.07677),
/// equation 1.
///   e_j  <-  e_j + Σ_i (e_i W_V) (e_i W_K · e_j W_Q) P        i over the examples of the context
/// tokens [B, T, size], of which the first `context` are examples -> [B, T, size]. It goes by Σ_i k_iᵀ v_i and so
/// needs O(T) work. (Tokens are rows here, the paper's are columns, and weights are the paper's transposed.)
struct InContextAttention {
  Linear queries, keys, values, projection;  // [size, size] without bias: W_Q, W_K, W_V, P

  InContextAttention(Size size, Rng& rng);
  /// Throws std::invalid_argument for a context that is negative or longer than the tokens.
  Var operator()(const Var& tokens, Size context) const;
  void parameters(const Visit& visit);
};

/// The weights with which that layer does one step of gradient descent on the linear regression
///   L(W) = 1 / (2 N) Σ |x_i W − y_i|²        W  <-  W_0 − rate · dL/dW        (paper: proposition 1)
/// for tokens e = [x ; y]: it turns each y_j into y_j − x_j ΔW. K layers with the same weights do K steps. W_0 is
/// [x_size, y_size], N the number of examples. Throws std::invalid_argument for another rank of W_0 and N < 1.
InContextAttention gradient_descent_attention(const Tensor& W_0, Size N, double rate);

/// What goes into that layer, and what comes out. x [B, N, x_size] and y [B, N, y_size] are the examples, queries
/// [B, n, x_size] are asked about and enter with −x W_0 in the place of the answer, whose negative comes out:
///   regression_tokens -> [B, N + n, x_size + y_size]        regression_answers -> [B, n, y_size]
Var regression_tokens(const Var& x, const Var& y, const Var& queries, const Tensor& W_0);
Var regression_answers(const Var& tokens, Size N, Size y_size);

}  // namespace attend
