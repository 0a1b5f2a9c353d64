#include "tutorials/09_channel_attention/gate.hpp"

#include <stdexcept>

#include "nn/pool.hpp"

namespace attend::chapter09 {

BrokenExcitation::BrokenExcitation(Size channels, Size positions, Size reduction, Fault how, Rng& rng)
    : layer(how == Fault::positions ? positions : channels, reduction, rng), fault(how) {}

Var BrokenExcitation::gates(const Var& x) const {
  const auto [B, C, H, W] = dims<4>(x, "broken excitation");
  const auto scores = [this](const Var& z) { return layer.excite(relu(layer.squeeze(z))); };
  const Var average = global_average_pool(x);  // [B, C]
  switch (fault) {
    case Fault::softmax:
      return softmax(scores(average));
    case Fault::positions:
      return sigmoid(scores(reshape(mean(x, {1}), {B, H * W})));
    case Fault::no_relu:
      return sigmoid(layer.excite(layer.squeeze(average)));
    case Fault::neighbour:
      return roll(sigmoid(scores(average)), 1, 0);
    case Fault::maximum:
      return sigmoid(scores(global_max_pool(x)));
  }
  throw std::logic_error("BrokenExcitation: no such fault");
}

Var BrokenExcitation::operator()(const Var& x) const {
  const Var weights = gates(x);
  if (fault != Fault::positions) return gated_channels(x, weights);
  const auto [B, C, H, W] = dims<4>(x, "broken excitation");
  return x * reshape(weights, {B, 1, H, W});
}

std::string GateKind::name() const {
  const std::string r = " r=" + std::to_string(reduction);
  switch (form) {
    case none:
      return "plain";
    case squeeze_excitation:
      return "SE" + r;
    case article:
      return "article" + r;
    case cbam:
      return "CBAM" + r;
    case eca:
      return "ECA";
    case broken:
      return "broken SE" + r;
  }
  throw std::logic_error("GateKind: no such form");
}

Gate make_gate(const GateKind& kind, Size channels, Size positions, Rng& rng) {
  switch (kind.form) {
    case GateKind::none:
      return NoGate{};
    case GateKind::squeeze_excitation:
      return SqueezeExcitation(channels, kind.reduction, rng);
    case GateKind::article:
      return ChannelAttention(channels, rng, kind.reduction);
    case GateKind::cbam:
      return CBAM(channels, rng, kind.reduction);
    case GateKind::eca:
      return ECA(channels, rng);
    case GateKind::broken:
      return BrokenExcitation(channels, positions, kind.reduction, kind.fault, rng);
  }
  throw std::logic_error("make_gate: no such form");
}

}  // namespace attend::chapter09
