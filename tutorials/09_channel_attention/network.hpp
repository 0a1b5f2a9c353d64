#pragma once
#include <vector>

#include "nn/linear.hpp"
#include "nn/norm.hpp"
#include "tutorials/09_channel_attention/gate.hpp"

/// A small convolutional network whose blocks may weigh their channels.

namespace attend::chapter09 {

/// relu(gate(norm(conv 3 × 3 (x)))):   x [B, C, 8, 8] -> [B, channels, 8, 8]
/// The gate stands before the relu, as in SE-ResNet: there a mean can be negative, and tells more.
struct Block {
  Conv2d conv;  // without bias: the norm has one
  BatchNorm norm;
  Gate gate;

  Block(Size inputs, Size channels, const GateKind& kind, Rng& rng, Rng& gate_rng);
  Var before_gate(const Var& x, Mode mode) const;
  Var operator()(const Var& x, Mode mode) const;
  void parameters(const Visit& visit);
};

struct NetworkSize {
  Size inputs = 3, channels = 32, blocks = 2;
};

/// Blocks, the mean over all positions, and a linear layer.   x [B, inputs, 8, 8] -> logits [B, 10]
/// With the same random numbers, networks with different gates begin with the same convolutions and the same head.
struct Network {
  std::vector<Block> blocks;
  Linear head;

  Network(const NetworkSize& size, const GateKind& kind, Rng& rng);
  Var operator()(const Var& x, Mode mode) const;
  Var maps(const Var& x, Mode mode) const;  // of the last block: [B, channels, 8, 8]

  /// For networks with SqueezeExcitation, in evaluation: the gates [B, channels] of each block.
  Vars gates(const Var& x) const;
  /// The logits in evaluation, with these gates in place of what stands in the blocks.
  Var with_gates(const Var& x, const Vars& gates) const;
  void parameters(const Visit& visit);
};

}  // namespace attend::chapter09
