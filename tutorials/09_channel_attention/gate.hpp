#pragma once
#include <string>
#include <variant>

#include "nn/attention/channel.hpp"
#include "nn/attention/squeeze_excitation.hpp"

/// What may stand behind a convolution and weigh its channels.

namespace attend::chapter09 {

/// Nothing: the plain network.
struct NoGate {
  Var operator()(const Var& x) const { return x; }
  void parameters(const Visit&) {}
};

/// Squeeze-and-excitation with a fault.
enum class Fault { softmax, positions, no_relu, neighbour, maximum };
struct BrokenExcitation {
  SqueezeExcitation layer;
  Fault fault;

  /// Of maps with `channels` channels and `positions` positions.
  BrokenExcitation(Size channels, Size positions, Size reduction, Fault fault, Rng& rng);
  Var gates(const Var& x) const;  // [B, C]; of Fault::positions [B, H · W]
  Var operator()(const Var& x) const;
  void parameters(const Visit& visit) { layer.parameters(visit); }
};

using Gate = std::variant<NoGate, SqueezeExcitation, ChannelAttention, CBAM, ECA, BrokenExcitation>;

/// Which of them, by the name that tables give it: "plain", "SE r=4", "article r=16", "CBAM r=4", "ECA".
struct GateKind {
  enum Form { none, squeeze_excitation, article, cbam, eca, broken } form = none;
  Size reduction = 0;
  Fault fault = Fault::softmax;

  std::string name() const;
};

/// For maps with `channels` channels and `positions` positions.
Gate make_gate(const GateKind& kind, Size channels, Size positions, Rng& rng);

}  // namespace attend::chapter09
