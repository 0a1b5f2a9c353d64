#include "tutorials/09_channel_attention/identities.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nn/gradcheck.hpp"
#include "nn/pool.hpp"
#include "tutorials/09_channel_attention/network.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/gradients.hpp"

namespace attend::chapter09 {
namespace {

using lesson::largest_difference;

constexpr Size B = 2, C = 8, H = 5, W = 4, reduction = 2;  // all different, so that no mix-up can hide

// With weights that are large enough to move the gates far from 1/2.
CBAM exact_cbam(Rng& rng) {
  CBAM layer(C, rng, reduction);
  rebind(layer, [&](const Var& weight, std::size_t) { return rng.normal(weight.shape(), 0, 1, DType::float64); });
  return layer;
}

// The same bottleneck as linear layers, its last weights times `factor`.
SqueezeExcitation as_excitation(const ChannelAttention& layer, double factor) {
  Rng rng(1);
  SqueezeExcitation same(C, reduction, rng);
  same.squeeze.weight = transpose(reshape(layer.squeeze.weight, {C / reduction, C}));
  same.excite.weight = factor * transpose(reshape(layer.excite.weight, {C, C / reduction}));
  return same;
}

Tensor random_maps(Rng& rng) { return rng.normal({B, C, H, W}, 0, 1, DType::float64); }

}  // namespace

void claim_identities(lesson::Claims& claims) {
  Rng rng(9);
  CBAM cbam = exact_cbam(rng);
  const SqueezeExcitation twice = as_excitation(cbam.channel, 2), once = as_excitation(cbam.channel, 1);
  const Var x(random_maps(rng));
  const Var constant = broadcast_to(Var(rng.normal({B, C, 1, 1}, 0, 1, DType::float64)), {B, C, H, W});
  claims.below("constant maps: CBAM's channel half = SE with twice the last weights, difference",
               largest_difference(cbam.channel(constant).value(), twice(constant).value()), 1e-14);
  claims.at_least("maps that vary: their difference", largest_difference(cbam.channel(x).value(), twice(x).value()),
                  0.01);
  cbam.spatial.conv.weight = Var(Tensor::zeros(cbam.spatial.conv.weight.shape(), DType::float64));
  claims.below("constant maps, spatial weights 0: CBAM = half of that SE, difference",
               largest_difference(cbam(constant).value(), (0.5 * twice(constant)).value()), 1e-14);

  const Var pooled = global_average_pool(x), as_image = adaptive_average_pool(x, {1, 1});
  const Var by_linear = once.excite(relu(once.squeeze(pooled)));
  const Var by_conv = cbam.channel.excite(relu(cbam.channel.squeeze(as_image)));
  claims.below("1 × 1 convolutions of what was pooled = linear layers, difference",
               largest_difference(squeeze(by_conv, {2, 3}).value(), by_linear.value()), 1e-14);

  double nearest = std::numeric_limits<double>::infinity();
  for (double total : sum(once.gates(x), {1}).value().to_vector()) nearest = std::min(nearest, std::fabs(total - 1));
  claims.at_least("gates of an image: how far from 1 their sum is at least", nearest, 0.1);
  claims.below("pixels turned around: the same gates, difference",
               largest_difference(once.gates(flip(x, {2, 3})).value(), once.gates(x).value()), 1e-14);
  SqueezeExcitation zero = once;
  zero.excite.weight = Var(Tensor::zeros(zero.excite.weight.shape(), DType::float64));
  claims.at_most("W_2 = 0: every gate is 1/2, difference", largest_difference(zero(x).value(), (0.5 * x).value()), 0);
}

void claim_gradients(std::uint64_t seed, lesson::Claims& claims) {
  Rng rng(seed);
  GradcheckOptions settings;
  settings.seed = seed;
  const std::vector<Tensor> inputs = {random_maps(rng)};
  const auto call = [](const auto& layer, const Vars& in) { return layer(in[0]); };
  std::vector<GradcheckReport> reports = {
      gradcheck_layer("squeeze-and-excitation", SqueezeExcitation(C, reduction, rng, true), inputs, call, settings),
      gradcheck_layer("the article's channel attention", ChannelAttention(C, rng, reduction), inputs, call, settings),
      gradcheck_layer("CBAM", exact_cbam(rng), inputs, call, settings),
      gradcheck_layer("ECA", ECA(C, rng), inputs, call, settings)};
  const Block block(3, C, {GateKind::squeeze_excitation, reduction}, rng, rng);
  reports.push_back(gradcheck_layer(
      "a block: convolution, norm, SE", block, {rng.normal({B, 3, 4, 3}, 0, 1, DType::float64)},
      [](const Block& layer, const Vars& in) { return layer(in[0], Mode::training); }, settings));
  lesson::claim_gradients(std::move(reports), claims);
}

}  // namespace attend::chapter09
