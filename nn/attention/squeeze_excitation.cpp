#include "nn/attention/squeeze_excitation.hpp"

#include <stdexcept>

#include "nn/pool.hpp"

namespace attend {

Size bottleneck_size(const char* op, Size channels, Size reduction) {
  if (channels >= 1 && reduction >= 1 && channels / reduction >= 1) return channels / reduction;
  throw std::invalid_argument(std::string(op) + ": a reduction of " + std::to_string(reduction) +
                              " leaves nothing of " + std::to_string(channels) + " channels");
}

Var gated_channels(const Var& x, const Var& gates) {
  dims<4>(x, "channel gates");
  const auto [B, C] = dims<2>(gates, "channel gates");
  return x * reshape(gates, {B, C, 1, 1});
}

SqueezeExcitation::SqueezeExcitation(Size channels, Size reduction, Rng& rng, bool bias)
    : squeeze(channels, bottleneck_size("squeeze_excitation", channels, reduction), rng, bias),
      excite(bottleneck_size("squeeze_excitation", channels, reduction), channels, rng, bias) {}

Var SqueezeExcitation::gates(const Var& x) const {
  return sigmoid(excite(relu(squeeze(global_average_pool(x)))));  // [B, C]
}

Var SqueezeExcitation::operator()(const Var& x) const { return gated_channels(x, gates(x)); }

void SqueezeExcitation::parameters(const Visit& visit) {
  visit("squeeze", squeeze);
  visit("excite", excite);
}

}  // namespace attend
