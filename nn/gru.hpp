#pragma once
#include "nn/init.hpp"
#include "nn/parameters.hpp"
#include "nn/recurrent.hpp"

namespace attend {

/// Gated recurrent unit. Cho et al. 2014 (arXiv:1406.1078).
///   r  = σ(x W_r + b_r + h U_r + c_r)               reset gate
///   z  = σ(x W_z + b_z + h U_z + c_z)               update gate
///   n  = tanh(x W_n + b_n + r ∘ (h U_n + c_n))      candidate
///   h' = (1 − z) ∘ n + z ∘ h
/// x [B, input], h [B, hidden] -> h' [B, hidden]. The three W stand side by side in one matrix, so do the three U.
/// Two deviations from the paper, both as in PyTorch: r is applied after the product with U_n, and z keeps the old
/// state where the paper has 1 − z.
struct GRUCell {
  Var input_weight, hidden_weight;  // [input, 3 hidden], [hidden, 3 hidden], in the order r, z, n
  Var input_bias, hidden_bias;      // [3 hidden]

  /// Throws std::invalid_argument for sizes below 1.
  GRUCell(Size input, Size hidden, Rng& rng);
  Size hidden_size() const { return hidden_weight.shape()[0]; }
  /// Throws std::invalid_argument when x and h do not fit each other or the weights.
  Var operator()(const Var& x, const Var& h) const;
  /// The same, from x W + b [B, 3 hidden]: a sequence computes that for all time steps at once.
  Var from_projected(const Var& projected, const Var& h) const;
  void parameters(const Visit& visit);
};

/// All hidden states of a batch of sequences, and the state after the last element that each of them has.
struct Sequence {
  Var states;  // [B, T, hidden]
  Var last;    // [B, hidden]
};

/// A GRU over a batch of sequences: x [B, T, input] -> states [B, T, hidden], last [B, hidden].
struct GRU {
  GRUCell cell;

  GRU(Size input, Size hidden, Rng& rng) : cell(input, hidden, rng) {}
  /// Begins with h0 [B, hidden], or with zeros. Past the end of a sequence, as `lengths` gives it, the state does not
  /// change, so `last` is the state after its last element, read in either direction; without lengths all are full.
  /// What x holds there does not matter. Throws std::invalid_argument for x of other sizes or without time steps, an h0
  /// that does not fit, and when there are not B lengths within 0 .. T.
  Sequence operator()(const Var& x, const Var& h0 = {}, const std::vector<Size>& lengths = {},
                      Direction direction = Direction::forward) const;
  void parameters(const Visit& visit) { visit("cell", cell); }
};

}  // namespace attend
