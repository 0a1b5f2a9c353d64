#include "nn/layer_norm.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/nn/layers.hpp"

using namespace attend;
using namespace attend::test;

namespace {

LayerNorm exact(Size size, double epsilon = 1e-5) { return cast(LayerNorm(size, epsilon), DType::float64); }

}  // namespace

TEST_CASE("layer norm divides by the root of the biased variance plus epsilon") {
  const Var x = Var::parameter(numbers({1, 0, 0, 0}, {4}));
  const Var y = exact(4)(x);
  check_close(y, {4}, {1.73200462, -0.57733487, -0.57733487, -0.57733487}, 5e-9);
  const Vars gradients = grad(y, {x}, Var(numbers({1, 2, 3, 4}, {4})));
  check_close(gradients[0], {4}, {-0.00018474, -2.30927792, 0.00006158, 2.30940107}, 5e-9);
}

TEST_CASE("a constant row gives 0, with finite derivatives") {
  const Var x = Var::parameter(numbers({2, 2, 2}, {3}));
  const Var y = exact(3)(x);
  check_close(y, {3}, {0, 0, 0}, 0);
  const Vars gradients = grad(y, {x}, Var(numbers({1, 2, 4}, {3})));
  check_close(gradients[0], {3}, {-421.637021, -105.409255, 527.046277}, 5e-7);
}

TEST_CASE("layer norm agrees with plain loops, row by row, with gain and bias") {
  LayerNorm layer = exact(5, 0.1);
  layer.gain = Var::parameter(random({5}, DType::float64, 2));
  layer.bias = Var::parameter(random({5}, DType::float64, 3));
  const Tensor x = random({2, 3, 5});
  std::vector<double> expected;
  const std::vector<double> values = x.to_vector();
  for (std::size_t row = 0; row < 6; ++row) {
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < 5; ++i) mean += values[row * 5 + i] / 5;
    for (std::size_t i = 0; i < 5; ++i) variance += std::pow(values[row * 5 + i] - mean, 2) / 5;
    for (std::size_t i = 0; i < 5; ++i) {
      const auto at = static_cast<Size>(i);
      expected.push_back((values[row * 5 + i] - mean) / std::sqrt(variance + 0.1) * layer.gain.value().at({at}) +
                         layer.bias.value().at({at}));
    }
  }
  check_close(layer(Var(x)), {2, 3, 5}, expected, 1e-14);
}

TEST_CASE("layer norm begins with gain 1 and bias 0, over one element gives the bias, and over no rows no rows") {
  const LayerNorm layer(3);
  check_close(layer.gain, {3}, {1, 1, 1}, 0);
  check_close(layer.bias, {3}, {0, 0, 0}, 0);
  check_close(exact(1)(Var(numbers({7, -2}, {2, 1}))), {2, 1}, {0, 0}, 0);
  check_close(exact(2)(Var(numbers({}, {0, 2}))), {0, 2}, {}, 0);
}

TEST_CASE("layer norm refuses an x that does not fit, and a size that is none") {
  const LayerNorm layer = exact(3);
  check_throws_with([&] { layer(Var(random({2, 4}))); }, {"layer_norm: ", "[2, 4]", "[3]"});
  check_throws_with([&] { layer(Var(random({2, 1}))); }, {"layer_norm: ", "[2, 1]", "[3]"});  // would broadcast
  check_throws_with([&] { layer(Var(random({}))); }, {"layer_norm: ", "[]", "[3]"});
  check_throws_with([] { LayerNorm(0); }, {"layer_norm: ", "0"});
  check_throws_with([] { LayerNorm(-1); }, {"layer_norm: ", "-1"});
}
