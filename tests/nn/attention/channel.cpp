#include "nn/attention/channel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/nn/attention/by_hand.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr Size B = 2, C = 6, H = 5, W = 4, reduction = 3;
const Tensor x = random({B, C, H, W}, DType::float64, 2);

double sigma(double score) { return 1 / (1 + std::exp(-score)); }

ChannelAttention exact() {
  Rng rng(1);
  return shaken(ChannelAttention(C, rng, reduction));
}

// W_2 relu(W_1 pooled), added to the scores.
void add_bottleneck(const ChannelAttention& layer, const std::vector<double>& pooled, std::vector<double>& scores) {
  const Tensor &w1 = layer.squeeze.weight.value(), &w2 = layer.excite.weight.value();
  for (Size k = 0; k < C / reduction; ++k) {
    double inner = 0;
    for (Size c = 0; c < C; ++c) inner += w1.at({k, c, 0, 0}) * pooled[static_cast<std::size_t>(c)];
    for (Size c = 0; c < C; ++c) scores[static_cast<std::size_t>(c)] += w2.at({c, k, 0, 0}) * std::max(inner, 0.0);
  }
}

}  // namespace

TEST_CASE("channel attention agrees with plain loops: average and maximum through one bottleneck") {
  const ChannelAttention layer = exact();
  const Tensor gates = layer.gates(Var(x)).value(), y = layer(Var(x)).value();
  CHECK(gates.shape() == Shape{B, C, 1, 1});
  for (Size b = 0; b < B; ++b) {
    std::vector<double> average, largest, scores(C, 0);
    for (Size c = 0; c < C; ++c) {
      double sum = 0, most = -infinity;
      for (Size i = 0; i < H * W; ++i) {
        sum += x.at({b, c, i / W, i % W});
        most = std::max(most, x.at({b, c, i / W, i % W}));
      }
      average.push_back(sum / (H * W));
      largest.push_back(most);
    }
    add_bottleneck(layer, average, scores);
    add_bottleneck(layer, largest, scores);
    for (Size c = 0; c < C; ++c) {
      const double gate = sigma(scores[static_cast<std::size_t>(c)]);
      check_close(gates.at({b, c, 0, 0}), gate, 1e-14);
      check_close(y.at({b, c, 2, 3}), gate * x.at({b, c, 2, 3}), 1e-14);
    }
  }
}

TEST_CASE("on constant maps channel attention is squeeze-and-excitation with twice the last weights") {
  const ChannelAttention layer = exact();
  Rng rng(2);
  SqueezeExcitation same(C, reduction, rng);
  same.squeeze.weight = transpose(reshape(layer.squeeze.weight, {C / reduction, C}));
  same.excite.weight = 2 * transpose(reshape(layer.excite.weight, {C, C / reduction}));
  const Var constant = broadcast_to(Var(random({B, C, 1, 1})), {B, C, H, W});
  check_agree(layer(constant), same(constant), 1e-15);
}

TEST_CASE("with zero weights channel attention and CBAM's halves give one half") {
  ChannelAttention channel = exact();
  channel.excite.weight = Var(Tensor::zeros(channel.excite.weight.shape(), DType::float64));
  check_agree(channel(Var(x)), 0.5 * Var(x), 0);
  Rng rng(1);
  SpatialAttention spatial(rng, 3);
  spatial.conv.weight = Var(Tensor::zeros(spatial.conv.weight.shape(), DType::float64));
  check_agree(spatial(Var(x)), 0.5 * Var(x), 0);
  CBAM both(C, rng, reduction);
  both.channel = channel;
  both.spatial.conv.weight = Var(Tensor::zeros({1, 2, 7, 7}, DType::float64));
  check_agree(both(Var(x)), 0.25 * Var(x), 0);
}

TEST_CASE("channel attention knows no places: a permutation of the pixels permutes the result") {
  const ChannelAttention layer = exact();
  check_agree(layer(flip(Var(x), {2, 3})), flip(layer(Var(x)), {2, 3}), 1e-14);
  const Var gates = layer.gates(Var(x));
  for (double total : sum(gates, {1, 2, 3}).value().to_vector()) CHECK(std::fabs(total - 1) > 0.1);
}

TEST_CASE("the spatial half agrees with plain loops over the mean and the maximum of the channels") {
  Rng rng(1);
  for (Size kernel : {1, 3, 7}) {
    const SpatialAttention layer = shaken(SpatialAttention(rng, kernel));
    CHECK(layer.conv.weight.shape() == Shape{1, 2, kernel, kernel});
    const Tensor gates = layer.gates(Var(x)).value(), y = layer(Var(x)).value(), &w = layer.conv.weight.value();
    CHECK(gates.shape() == Shape{B, 1, H, W});
    for (Size b = 0; b < B; ++b) {
      for (Size i = 0; i < H; ++i) {
        for (Size j = 0; j < W; ++j) {
          double score = 0;
          for (Size u = 0; u < kernel; ++u) {
            for (Size v = 0; v < kernel; ++v) {
              const Size at = i + u - kernel / 2, to = j + v - kernel / 2;
              if (at < 0 || at >= H || to < 0 || to >= W) continue;
              double sum = 0, most = -infinity;
              for (Size c = 0; c < C; ++c) {
                sum += x.at({b, c, at, to});
                most = std::max(most, x.at({b, c, at, to}));
              }
              score += w.at({0, 0, u, v}) * sum / C + w.at({0, 1, u, v}) * most;
            }
          }
          check_close(gates.at({b, 0, i, j}), sigma(score), 1e-14);
          check_close(y.at({b, 4, i, j}), sigma(score) * x.at({b, 4, i, j}), 1e-14);
        }
      }
    }
  }
  const Rng before = rng;
  check_throws_with([&] { SpatialAttention(rng, 4); }, {"spatial attention: ", "kernel 4", "odd"});
  CHECK(rng == before);
}

TEST_CASE("CBAM gates channels first, then positions of what is left") {
  Rng rng(1);
  const CBAM layer = shaken(CBAM(C, rng, reduction));
  check_agree(layer(Var(x)), layer.spatial(layer.channel(Var(x))), 0);
  std::string names;
  for (const auto& [name, parameter] : named_parameters(layer)) names += name + text(parameter.shape()) + " ";
  CHECK(names ==
        "channel.squeeze.weight[2, 6, 1, 1] channel.excite.weight[6, 2, 1, 1] spatial.conv.weight[1, 2, 7, 7] ");
}

TEST_CASE("ECA's kernel grows with the logarithm of the channels and is odd") {
  const std::vector<std::pair<Size, Size>> known = {{1, 1},  {2, 1},   {4, 1},   {8, 3},   {16, 3},
                                                    {64, 3}, {128, 5}, {256, 5}, {512, 5}, {2048, 7}};
  for (const auto& each : known) {
    const auto [channels, kernel] = each;
    INFO("channels: ", each.first);
    CHECK(ECA::kernel_size(channels) == kernel);
  }
  check_throws_with([] { ECA::kernel_size(0); }, {"eca: ", "0 channels"});
}

TEST_CASE("ECA agrees with plain loops along the channels, and learns its kernel only") {
  Rng rng(1);
  const Size channels = 9;  // a kernel of 3
  const Tensor image = random({B, channels, H, W}, DType::float64, 5);
  const ECA layer = shaken(ECA(channels, rng));
  CHECK(parameter_count(layer) == 3);
  const Tensor gates = layer.gates(Var(image)).value(), y = layer(Var(image)).value();
  const Tensor average = mean(Var(image), {2, 3}).value();
  for (Size b = 0; b < B; ++b) {
    for (Size c = 0; c < channels; ++c) {
      double score = 0;
      for (Size k = 0; k < 3; ++k) {
        const Size other = c + k - 1;
        if (other >= 0 && other < channels) score += layer.conv.weight.value().at({0, 0, k}) * average.at({b, other});
      }
      check_close(gates.at({b, c}), sigma(score), 1e-14);
      check_close(y.at({b, c, 1, 2}), sigma(score) * image.at({b, c, 1, 2}), 1e-14);
    }
  }
}

TEST_CASE("a sample's channel attention does not depend on the others") {
  Rng rng(1);
  const CBAM cbam = shaken(CBAM(C, rng, reduction));
  const ECA eca = shaken(ECA(C, rng));
  for (Size b = 0; b < B; ++b) {
    check_agree(cbam(of_batch(Var(x), b)), of_batch(cbam(Var(x)), b), 1e-14);
    check_agree(eca(of_batch(Var(x), b)), of_batch(eca(Var(x)), b), 1e-14);
  }
}

TEST_CASE("channel attention refuses a reduction larger than the channels, and other channels") {
  Rng rng(1);
  check_throws_with([&] { ChannelAttention(3, rng); }, {"channel_attention: ", "16", "3 channels"});
  check_throws_with([&] { CBAM(7, rng, 8); }, {"channel_attention: ", "8", "7 channels"});
  check_throws_with([] { exact()(Var(random({B, 5, H, W}))); }, {"conv: ", "[2, 5, 1, 1]", "[2, 6, 1, 1]"});
  check_throws_with([] { exact()(Var(random({B, C, H}))); }, {"adaptive_average_pool: ", "[2, 6, 5]"});
}
