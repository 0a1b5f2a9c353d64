#pragma once
#include "nn/init.hpp"
#include "nn/parameters.hpp"
#include "nn/recurrent.hpp"

namespace attend {

/// The two states of an LSTM: what it shows, and what it remembers. [B, hidden] each.
struct LSTMState {
  Var h, c;
};

/// Long short-term memory. Hochreiter and Schmidhuber 1997, with the forget gate of Gers et al. 2000.
///   i = σ(x W_i + h U_i + b_i)        f = σ(x W_f + h U_f + b_f)
///   g = tanh(x W_g + h U_g + b_g)     o = σ(x W_o + h U_o + b_o)
///   c' = f ∘ c + i ∘ g                h' = o ∘ tanh(c')
/// x [B, input], h and c [B, hidden] -> h' and c' [B, hidden]. The four W stand side by side, so do the four U. One
/// bias where PyTorch has two that only occur as their sum.
struct LSTMCell {
  Var input_weight, hidden_weight;  // [input, 4 hidden], [hidden, 4 hidden], in the order i, f, g, o
  Var bias;                         // [4 hidden]

  /// Throws std::invalid_argument for sizes below 1.
  LSTMCell(Size input, Size hidden, Rng& rng);
  Size hidden_size() const { return hidden_weight.shape()[0]; }
  /// Throws std::invalid_argument when x, h and c do not fit each other or the weights.
  LSTMState operator()(const Var& x, const LSTMState& state) const;
  /// The same, from x W + b [B, 4 hidden].
  LSTMState from_projected(const Var& projected, const LSTMState& state) const;
  void parameters(const Visit& visit);
};

/// All hidden states of a batch of sequences, and both states after the last element that each of them has.
struct LSTMSequence {
  Var states;  // [B, T, hidden]
  LSTMState last;
};

/// An LSTM over a batch of sequences: x [B, T, input] -> states [B, T, hidden], last [B, hidden]. As for GRU.
struct LSTM {
  LSTMCell cell;

  LSTM(Size input, Size hidden, Rng& rng) : cell(input, hidden, rng) {}
  LSTMSequence operator()(const Var& x, const LSTMState& begin = {}, const std::vector<Size>& lengths = {},
                          Direction direction = Direction::forward) const;
  void parameters(const Visit& visit) { visit("cell", cell); }
};

}  // namespace attend
