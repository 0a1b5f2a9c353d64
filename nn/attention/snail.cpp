#include "nn/attention/snail.hpp"

#include <stdexcept>

namespace attend {
namespace {

// How many dilations 1, 2, 4, .. sum to `positions` − 1 at least.
Size layers_for(Size positions) {
  if (positions < 1) {
    throw std::invalid_argument("snail: convolutions over " + std::to_string(positions) +
                                " positions; take 1 at least");
  }
  Size layers = 0;
  while ((Size{1} << layers) < positions) ++layers;
  return layers;
}

}  // namespace

SnailDense::SnailDense(Size size, Size filters, Size steps, Rng& rng)
    : filter(2 * size, filters, rng), gate(2 * size, filters, rng), dilation(steps) {
  if (dilation >= 1) return;
  throw std::invalid_argument("snail: a dilation of " + std::to_string(dilation) + "; it must be positive");
}

Var SnailDense::operator()(const Var& x) const {
  const auto [B, T, size] = dims<3>(x, "snail");
  const Var before = slice(pad(x, 1, dilation, 0), 1, 0, T);
  const Var both = concat({before, x}, 2);  // [B, T, 2 size]
  return concat({x, tanh(filter(both)) * sigmoid(gate(both))}, 2);
}

SnailTemporal::SnailTemporal(Size size, Size positions, Size filters, Rng& rng) {
  const Size count = layers_for(positions);
  for (Size i = 0; i < count; ++i) layers.emplace_back(size + i * filters, filters, Size{1} << i, rng);
}

Var SnailTemporal::operator()(const Var& x) const {
  Var y = x;
  for (const SnailDense& layer : layers) y = layer(y);
  return y;
}

Attended SnailAttention::operator()(const Var& x) const {
  const auto [B, T, size] = dims<3>(x, "snail");
  const Attended found = scaled_dot_attention(query(x), key(x), value(x), {causal_mask(T, T)});
  return {concat({x, found.context}, 2), found.weights};
}

SnailBlock::SnailBlock(Size size, Size positions, const SnailSizes& sizes, Rng& rng)
    : temporal(size, positions, sizes.filters, rng),
      attention(size + sizes.filters * layers_for(positions), sizes.key_size, sizes.value_size, rng) {}

}  // namespace attend
