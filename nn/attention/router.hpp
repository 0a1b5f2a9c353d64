#pragma once
#include <vector>

#include "nn/attention/dot_product.hpp"

namespace attend {

/// Which experts each token goes to.
struct Routes {
  Tensor experts;     // int64 [N, k], the best first
  Var gates;          // [N, k], how much each of them counts
  Var probabilities;  // [N, E], of all experts
};

/// The k largest of the logits [N, E] of each token. With k > 1 the gates are the softmax over the chosen alone,
/// Shazeer et al. 2017 (arXiv:1701.06538) without noise: the logits of the others get the derivative 0. With k = 1
/// that would be 1 whatever the logit, and the gate is the softmax over all, Fedus, Zoph, Shazeer 2021
/// (arXiv:2101.03961). Throws std::invalid_argument unless 1 <= k <= E.
Routes route(const Var& logits, Size k);

/// What RoutedAttention returns.
struct Routed {
  Var y;         // [B, T, size]
  Var balance;   // a number: the load-balance loss, 1 where all experts are used alike
  Tensor usage;  // [E]: each expert's part of all choices, which add up to 1
};

/// A mixture of attention heads: each token chooses k of E experts. Zhang, Shen, Huang, Zhou, Rong, Xiong 2022
/// (arXiv:2210.05144).
///   y_t = Σ_e gate_e(t) · softmax(x_t W_q[e] Kᵀ / √d) V W_o[e]        e over the k experts of token t
/// An expert is a query projection and an output projection; K = x W_k and V = x W_v are shared by all. Only what was
/// chosen is computed: k heads of attention, whatever E. (The paper renormalises the gates of the chosen by their sum,
/// through which no derivative flows; see `route`.)
///   balance = E Σ_e f_e P_e with f_e the part of the choices that went to e, P_e its mean probability
/// Positions that no query may attend to count neither in usage nor in balance.
struct RoutedAttention {
  Linear router;                         // [size, E], without bias
  std::vector<Linear> queries, outputs;  // of each expert: [size, d] and [d, size], without bias
  Linear keys, values;                   // [size, d], without bias
  Size chosen;                           // k

  /// Throws std::invalid_argument for sizes below 1 and unless 1 <= chosen <= experts.
  RoutedAttention(Size size, Size d, Size experts, Size chosen, Rng& rng);
  /// x [B, T, size]. Throws std::invalid_argument for a mask that differs between heads.
  Routed operator()(const Var& x, const Mask& mask = {}) const;
  void parameters(const Visit& visit);

 private:
  Var chosen_queries(const Var& tokens, const std::vector<Tensor>& places) const;
  Var outputs_of(const Var& contexts, const Var& gates, const std::vector<Tensor>& places) const;
};

}  // namespace attend
