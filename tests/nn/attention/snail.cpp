#include "nn/attention/snail.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tensor/kernels.hpp"
#include "tests/nn/layer_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

double element_or_0(const Tensor& x, Size b, Size t, Size c) { return t < 0 ? 0 : x.at({b, t, c}); }

double at_filter(const Linear& layer, const Tensor& x, Size b, Size t, Size dilation, Size f) {
  const Size size = x.shape()[2];
  double sum = layer.bias.value().at({f});
  for (Size c = 0; c < size; ++c) {
    sum += element_or_0(x, b, t - dilation, c) * layer.weight.value().at({c, f});
    sum += x.at({b, t, c}) * layer.weight.value().at({size + c, f});
  }
  return sum;
}

// Whether position t of y depends on each position of x.
std::vector<bool> reached(const Var& y, const Var& x, Size t) {
  const Tensor gradient = random_gradients(slice(y, 1, t, 1), {x})[0].value();
  const Tensor found = kernel::any(kernel::not_equal(gradient, Tensor::zeros({}, DType::float64)), 2, false);  // [B, T]
  std::vector<bool> result;
  for (Size i = 0; i < x.shape()[1]; ++i) result.push_back(found.at({0, i}) != 0);
  return result;
}

}  // namespace

TEST_CASE("a convolution of SNAIL reads positions t and t − dilation, in plain loops") {
  Rng rng(3);
  const Tensor x = random({2, 6, 3});
  for (Size dilation : {1, 2, 7}) {
    CAPTURE(dilation);
    SnailDense layer = cast(SnailDense(3, 2, dilation, rng), DType::float64);
    layer.filter.bias = Var::parameter(random({2}));
    layer.gate.bias = Var::parameter(random({2}, DType::float64, 2));
    std::vector<double> expected;
    for (Size row = 0; row < 12; ++row) {
      const Size b = row / 6, t = row % 6;
      for (Size c = 0; c < 3; ++c) expected.push_back(x.at({b, t, c}));
      for (Size f = 0; f < 2; ++f) {
        const double gate = at_filter(layer.gate, x, b, t, dilation, f);
        expected.push_back(std::tanh(at_filter(layer.filter, x, b, t, dilation, f)) / (1 + std::exp(-gate)));
      }
    }
    check_close(layer(x), {2, 6, 5}, expected, 1e-14);
  }
}

TEST_CASE("the convolutions of SNAIL see exactly the positions that they are made for, and no later one") {
  Rng rng(3);
  const Var x = Var::parameter(random({1, 11, 2}));
  for (Size positions : {1, 2, 4, 8}) {
    CAPTURE(positions);
    const SnailTemporal layers = cast(SnailTemporal(2, positions, 3, rng), DType::float64);
    const std::vector<bool> seen = reached(layers(x), x, 8);
    for (Size i = 0; i < 11; ++i) CHECK(seen[static_cast<std::size_t>(i)] == (i <= 8 && i > 8 - positions));
  }
}

TEST_CASE("a block of SNAIL sees all that came before and nothing later, and puts what it finds behind its input") {
  Rng rng(3);
  const SnailBlock block = cast(SnailBlock(2, 4, {3, 5, 6}, rng), DType::float64);
  const Var x = Var::parameter(random({1, 9, 2}));
  const Attended found = block(x);
  CHECK(block.width() == 2 + 2 * 3 + 6);
  CHECK(found.context.shape() == Shape{1, 9, block.width()});
  CHECK(found.weights.shape() == Shape{1, 9, 9});
  check_agree(slice(found.context, 2, 0, 2), x, 0);
  const std::vector<bool> seen = reached(found.context, x, 5);
  for (Size i = 0; i < 9; ++i) CHECK(seen[static_cast<std::size_t>(i)] == (i <= 5));
}

TEST_CASE("a block of SNAIL has derivatives to order 2, visits its parameters and leaves nothing alive") {
  Rng rng(3);
  const std::vector<LayerRow> rows = {
      layer_row("SnailBlock", SnailBlock(2, 3, {2, 3, 2}, rng), {random({2, 5, 2})},
                [](const SnailBlock& block, const Vars& xs) { return block(xs[0]).context; })};
  check_derivatives(rows);
  check_visits(rows);
  check_nothing_alive(rows);
}

TEST_CASE("SNAIL refuses dilations and lengths below 1, and what is no sequence") {
  Rng rng(3);
  check_throws_with([&] { SnailDense(2, 3, 0, rng); }, {"snail", "dilation of 0"});
  check_throws_with([&] { SnailTemporal(2, 0, 3, rng); }, {"snail", "0 positions"});
  check_throws_with([&] { SnailDense(2, 3, 1, rng)(random({5, 2})); }, {"snail", "[5, 2]"});
}
