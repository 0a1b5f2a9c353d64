#include "nn/attention/channel.hpp"

#include <cmath>
#include <stdexcept>

#include "nn/pool.hpp"

namespace attend {
namespace {

ConvOptions without_bias(Size padding = 0) {
  ConvOptions options;
  options.padding = padding;
  options.bias = false;
  return options;
}

}  // namespace

ChannelAttention::ChannelAttention(Size channels, Rng& rng, Size reduction)
    : squeeze(channels, bottleneck_size("channel_attention", channels, reduction), 1, rng, without_bias()),
      excite(bottleneck_size("channel_attention", channels, reduction), channels, 1, rng, without_bias()) {}

Var ChannelAttention::gates(const Var& x) const {
  const auto F = [&](const Var& pooled) { return excite(relu(squeeze(pooled))); };
  const Var average = adaptive_average_pool(x, {1, 1}), largest = adaptive_max_pool(x, {1, 1});
  return sigmoid(F(average) + F(largest));  // [B, C, 1, 1]
}

void ChannelAttention::parameters(const Visit& visit) {
  visit("squeeze", squeeze);
  visit("excite", excite);
}

SpatialAttention::SpatialAttention(Rng& rng, Size kernel)
    : conv(2, 1, kernel, rng, without_bias(same_padding("spatial attention", kernel))) {}

Var SpatialAttention::gates(const Var& x) const {
  return sigmoid(conv(concat({mean(x, {1}, true), max(x, {1}, true)}, 1)));  // [B, 1, H, W]
}

void CBAM::parameters(const Visit& visit) {
  visit("channel", channel);
  visit("spatial", spatial);
}

Size ECA::kernel_size(Size channels) {
  if (channels < 1) throw std::invalid_argument("eca: " + std::to_string(channels) + " channels");
  const auto near = static_cast<Size>(std::fabs(std::log2(static_cast<double>(channels)) / 2 + 0.5));
  return near % 2 == 1 ? near : near + 1;
}

ECA::ECA(Size channels, Rng& rng) : conv(1, 1, kernel_size(channels), rng, without_bias(kernel_size(channels) / 2)) {}

Var ECA::gates(const Var& x) const {
  const Var along_channels = unsqueeze(global_average_pool(x), 1);  // [B, 1, C]
  return sigmoid(squeeze(conv(along_channels), {1}));               // [B, C]
}

}  // namespace attend
