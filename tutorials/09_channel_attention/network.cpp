#include "tutorials/09_channel_attention/network.hpp"

#include "nn/pool.hpp"

namespace attend::chapter09 {
namespace {

constexpr Size classes = 10, side = 8;

ConvOptions same_size() {
  ConvOptions options;
  options.padding = 1;
  options.bias = false;
  return options;
}

}  // namespace

Block::Block(Size inputs, Size channels, const GateKind& kind, Rng& rng, Rng& gate_rng)
    : conv(inputs, channels, 3, rng, same_size()),
      norm(channels),
      gate(make_gate(kind, channels, side * side, gate_rng)) {}

Var Block::before_gate(const Var& x, Mode mode) const { return norm(conv(x), mode); }

Var Block::operator()(const Var& x, Mode mode) const {
  const Var maps = before_gate(x, mode);
  return relu(std::visit([&](const auto& weigh) { return weigh(maps); }, gate));
}

void Block::parameters(const Visit& visit) {
  visit("conv", conv);
  visit("norm", norm);
  std::visit([&](auto& layer) { visit("gate", layer); }, gate);
}

Network::Network(const NetworkSize& size, const GateKind& kind, Rng& rng) : head(size.channels, classes, rng) {
  Rng gate_rng = rng.split();
  for (Size i = 0; i < size.blocks; ++i) {
    blocks.emplace_back(i == 0 ? size.inputs : size.channels, size.channels, kind, rng, gate_rng);
  }
}

Var Network::maps(const Var& x, Mode mode) const {
  Var y = x;
  for (const Block& block : blocks) y = block(y, mode);
  return y;
}

Var Network::operator()(const Var& x, Mode mode) const { return head(global_average_pool(maps(x, mode))); }

Vars Network::gates(const Var& x) const {
  Vars all;
  Var y = x;
  for (const Block& block : blocks) {
    y = block.before_gate(y, Mode::evaluation);
    all.push_back(std::get<SqueezeExcitation>(block.gate).gates(y));
    y = relu(gated_channels(y, all.back()));
  }
  return all;
}

Var Network::with_gates(const Var& x, const Vars& gates) const {
  Var y = x;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    y = relu(gated_channels(blocks[i].before_gate(y, Mode::evaluation), gates.at(i)));
  }
  return head(global_average_pool(y));
}

void Network::parameters(const Visit& visit) {
  visit("blocks", blocks);
  visit("head", head);
}

}  // namespace attend::chapter09
