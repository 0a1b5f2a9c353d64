#include "nn/attention/squeeze_excitation.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/nn/attention/by_hand.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr Size B = 2, C = 6, H = 3, W = 4;
const Tensor x = random({B, C, H, W}, DType::float64, 2);

SqueezeExcitation exact(bool bias = false, Size reduction = 3) {
  Rng rng(1);
  return shaken(SqueezeExcitation(C, reduction, rng, bias));
}

}  // namespace

TEST_CASE("squeeze-and-excitation agrees with plain loops, with biases and without") {
  for (bool bias : {false, true}) {
    const SqueezeExcitation layer = exact(bias);
    CHECK(layer.squeeze.bias.defined() == bias);
    const Tensor y = layer(Var(x)).value(), found = layer.gates(Var(x)).value();
    for (Size b = 0; b < B; ++b) {
      std::vector<double> z, inner;
      for (Size c = 0; c < C; ++c) {
        double sum = 0;
        for (Size i = 0; i < H * W; ++i) sum += x.at({b, c, i / W, i % W});
        z.push_back(sum / (H * W));
      }
      for (Size k = 0; k < C / 3; ++k) {
        double sum = bias ? layer.squeeze.bias.value().at({k}) : 0;
        for (Size c = 0; c < C; ++c) sum += z[static_cast<std::size_t>(c)] * layer.squeeze.weight.value().at({c, k});
        inner.push_back(sum > 0 ? sum : 0);
      }
      for (Size c = 0; c < C; ++c) {
        double sum = bias ? layer.excite.bias.value().at({c}) : 0;
        for (Size k = 0; k < C / 3; ++k) {
          sum += inner[static_cast<std::size_t>(k)] * layer.excite.weight.value().at({k, c});
        }
        const double gate = 1 / (1 + std::exp(-sum));
        check_close(found.at({b, c}), gate, 1e-14);
        for (Size i = 0; i < H * W; ++i)
          check_close(y.at({b, c, i / W, i % W}), gate * x.at({b, c, i / W, i % W}), 1e-14);
      }
    }
  }
}

TEST_CASE("the bottleneck is C / reduction wide, not reduction (O-32)") {
  Rng rng(1);
  const SqueezeExcitation layer(32, 4, rng);
  CHECK(layer.squeeze.weight.shape() == Shape{32, 8});
  CHECK(layer.excite.weight.shape() == Shape{8, 32});
  CHECK(parameter_count(layer) == 2 * 32 * 32 / 4);
  CHECK(parameter_count(SqueezeExcitation(32, 4, rng, true)) == 2 * 32 * 32 / 4 + 8 + 32);
  CHECK(bottleneck_size("here", 35, 16) == 2);
  CHECK(bottleneck_size("here", 3, 3) == 1);
  check_throws_with([&] { SqueezeExcitation(3, 16, rng); }, {"squeeze_excitation: ", "16", "3 channels"});
  check_throws_with([&] { SqueezeExcitation(3, 0, rng); }, {"squeeze_excitation: ", "reduction of 0", "3 channels"});
  check_throws_with([&] { SqueezeExcitation(0, 1, rng); }, {"squeeze_excitation: ", "0 channels"});
}

TEST_CASE("with zero weights every gate is one half") {
  SqueezeExcitation layer = exact();
  layer.excite.weight = Var(Tensor::zeros(layer.excite.weight.shape(), DType::float64));
  check_agree(layer(Var(x)), 0.5 * Var(x), 0);
}

TEST_CASE("gates lie between 0 and 1 and do not sum to 1: they are no attention weights") {
  const Var gates = exact().gates(Var(x));
  for (double gate : gates.value().to_vector()) CHECK((gate > 0 && gate < 1));
  for (double total : sum(gates, {1}).value().to_vector()) CHECK(std::fabs(total - 1) > 0.1);
}

TEST_CASE("gates depend neither on the places of the pixels nor on how many there are") {
  const SqueezeExcitation layer = exact();
  const Var flipped = flip(Var(x), {2, 3});
  check_agree(layer.gates(flipped), layer.gates(Var(x)), 1e-15);
  check_agree(layer(flipped), flip(layer(Var(x)), {2, 3}), 1e-15);
  check_agree(layer.gates(concat({Var(x), Var(x)}, 2)), layer.gates(Var(x)), 1e-15);
}

TEST_CASE("a sample's gates do not depend on the others") {
  const SqueezeExcitation layer = exact();
  for (Size b = 0; b < B; ++b) check_agree(layer(of_batch(Var(x), b)), of_batch(layer(Var(x)), b), 1e-15);
}

TEST_CASE("squeeze-and-excitation refuses other channels and anything but images") {
  const SqueezeExcitation layer = exact();
  check_throws_with([&] { layer(Var(random({B, 5, H, W}))); }, {"linear: ", "[2, 5]", "[6, 2]"});
  check_throws_with([&] { layer(Var(random({B, C, H}))); }, {"channel gates: ", "[2, 6, 3]"});
  check_throws_with([&] { layer(Var(random({B, C}))); }, {"global_average_pool: ", "[2, 6]"});
}
