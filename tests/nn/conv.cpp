#include "nn/conv.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "nn/linear.hpp"
#include "tests/nn/layers.hpp"

using namespace attend;
using namespace attend::test;

namespace {

ConvOptions with(Size stride, Size padding, Size dilation, Size groups, bool bias = true) {
  ConvOptions options;
  options.stride = stride;
  options.padding = padding;
  options.dilation = dilation;
  options.groups = groups;
  options.bias = bias;
  return options;
}

// The formula in plain loops: x [B, C, H, W], weight [O, C / groups, K, L].
Tensor by_hand(const Tensor& x, const Tensor& weight, const Var& bias, const ConvOptions& how, bool pad_rows = true) {
  const Size B = x.shape()[0], H = x.shape()[2], W = x.shape()[3];
  const Size O = weight.shape()[0], C = weight.shape()[1], K = weight.shape()[2], L = weight.shape()[3];
  const Size above = pad_rows ? how.padding : 0, left = how.padding;
  const Size rows = (H + 2 * above - how.dilation * (K - 1) - 1) / how.stride + 1;
  const Size columns = (W + 2 * left - how.dilation * (L - 1) - 1) / how.stride + 1;
  std::vector<double> values;
  for (Size b = 0; b < B; ++b) {
    for (Size o = 0; o < O; ++o) {
      for (Size i = 0; i < rows; ++i) {
        for (Size j = 0; j < columns; ++j) {
          double sum = bias.defined() ? bias.value().at({o}) : 0;
          for (Size c = 0; c < C; ++c) {
            for (Size u = 0; u < K; ++u) {
              for (Size v = 0; v < L; ++v) {
                const Size y = i * how.stride + u * how.dilation - above, at = j * how.stride + v * how.dilation - left;
                if (y < 0 || y >= H || at < 0 || at >= W) continue;
                sum += weight.at({o, c, u, v}) * x.at({b, o / (O / how.groups) * C + c, y, at});
              }
            }
          }
          values.push_back(sum);
        }
      }
    }
  }
  return numbers(values, {B, O, rows, columns});
}

template <class Conv>
Conv exact(const Conv& layer) {
  Conv wide = cast(layer, DType::float64);
  if (wide.bias.defined()) wide.bias = Var::parameter(random(wide.bias.shape(), DType::float64, 3));
  return wide;
}

}  // namespace

TEST_CASE("a convolution agrees with plain loops, for every stride, padding, dilation and number of groups") {
  const Tensor x = random({2, 6, 7, 8}, DType::float64, 2);
  Rng rng(1);
  for (Size kernel : {1, 2, 3}) {
    for (const ConvOptions& how : {with(1, 0, 1, 1), with(2, 0, 1, 1), with(1, 1, 1, 2), with(3, 2, 1, 3),
                                   with(1, 0, 2, 1, false), with(2, 3, 3, 6), with(2, 1, 2, 2, false)}) {
      INFO("kernel ", kernel, " stride ", how.stride, " padding ", how.padding, " dilation ", how.dilation);
      const Conv2d layer = exact(Conv2d(6, 12, kernel, rng, how));
      CHECK(layer.bias.defined() == how.bias);
      check_agree(layer(Var(x)), by_hand(x, layer.weight.value(), layer.bias, how), 1e-13);
    }
  }
}

TEST_CASE("along a line a convolution agrees with plain loops too") {
  const Tensor x = random({2, 4, 11}, DType::float64, 2);
  Rng rng(1);
  for (Size kernel : {1, 2, 5}) {
    for (const ConvOptions& how : {with(1, 0, 1, 1), with(2, 1, 1, 2), with(3, 4, 2, 4), with(1, 2, 2, 1, false)}) {
      INFO("kernel ", kernel, " stride ", how.stride);
      const Conv1d layer = exact(Conv1d(4, 8, kernel, rng, how));
      const Tensor flat = unsqueeze(layer.weight.value(), 2);
      const Tensor expected = by_hand(unsqueeze(x, 2), flat, layer.bias, how, false);
      check_agree(layer(Var(x)), squeeze(expected, {2}), 1e-13);
    }
  }
}

TEST_CASE("a kernel of one element is a linear layer over the channels") {
  Rng rng(1);
  const Conv2d layer = exact(Conv2d(3, 5, 1, rng));
  Linear linear(3, 5, rng);
  linear.weight = transpose(reshape(layer.weight, {5, 3}));
  linear.bias = layer.bias;
  const Var x(random({2, 3, 4, 6}));
  const Var pixels = permute(x, {0, 2, 3, 1});  // [B, H, W, C]
  check_agree(permute(linear(pixels), {0, 3, 1, 2}), layer(x), 1e-15);
}

TEST_CASE("a linear layer over patches is a convolution whose stride is its kernel") {
  Rng rng(1);
  const Size P = 3, C = 2, D = 5, rows = 2, columns = 4;
  const Conv2d layer = exact(Conv2d(C, D, P, rng, with(P, 0, 1, 1)));
  Linear linear(C * P * P, D, rng);
  linear.weight = transpose(reshape(layer.weight, {D, C * P * P}));
  linear.bias = layer.bias;
  const Var x(random({2, C, rows * P, columns * P}));
  const Var cut = reshape(x, {2, C, rows, P, columns, P});
  const Var patches = reshape(permute(cut, {0, 2, 4, 1, 3, 5}), {2, rows * columns, C * P * P});
  check_agree(permute(linear(patches), {0, 2, 1}), reshape(layer(x), {2, D, rows * columns}), 1e-14);
}

TEST_CASE("as many groups as channels is one small convolution for each channel") {
  Rng rng(1);
  const Conv2d layer = exact(Conv2d(4, 4, 3, rng, with(1, 1, 1, 4)));
  const Var x(random({2, 4, 5, 6}));
  for (Size c = 0; c < 4; ++c) {
    const Var alone =
        conv2d(slice(x, 1, c, 1), slice(layer.weight, 0, c, 1), slice(layer.bias, 0, c, 1), with(1, 1, 1, 1));
    check_agree(slice(layer(x), 1, c, 1), alone, 1e-14);
  }
}

TEST_CASE("a shifted image gives a shifted result, away from the edges") {
  Rng rng(1);
  const Conv2d layer = exact(Conv2d(2, 3, 3, rng));
  const Var x(random({1, 2, 8, 9}));
  check_agree(slice(layer(x), 3, 1, 6), layer(slice(x, 3, 1, 8)), 1e-14);
  check_agree(slice(layer(x), 2, 2, 4), layer(slice(x, 2, 2, 6)), 1e-14);
}

TEST_CASE("what a stack of convolutions does not see has the derivative 0 exactly") {
  Rng rng(1);
  const Conv1d layer = exact(Conv1d(1, 1, 3, rng, with(1, 1, 1, 1)));
  const Var x = Var::parameter(random({1, 1, 15}));
  const Var y = layer(layer(layer(x)));
  const Var g = grad(select(reshape(y, {15}), 0, 7), {x})[0];
  for (Size j = 0; j < 15; ++j) CHECK((g.value().at({0, 0, j}) != 0) == (j >= 4 && j <= 10));
}

TEST_CASE("a convolution names what it learns, and begins for the relu that follows") {
  Rng rng(1);
  const Conv2d layer(64, 32, 3, rng, with(1, 0, 1, 2));
  std::string names;
  for (const auto& [name, parameter] : named_parameters(layer)) names += name + text(parameter.shape()) + " ";
  CHECK(names == "weight[32, 32, 3, 3] bias[32] ");
  check_close(mean(layer.weight * layer.weight).item(), 2.0 / (32 * 9), 0, 0.03);
  CHECK(sum(abs(layer.bias)).item() == 0);
  CHECK(named_parameters(Conv1d(2, 4, 5, rng, with(1, 0, 1, 2, false))).size() == 1);
  CHECK(Conv1d(2, 4, 5, rng, with(1, 0, 1, 2)).weight.shape() == Shape{4, 1, 5});
}

TEST_CASE("a kernel larger than the padded input throws, and names both (O-36)") {
  Rng rng(1);
  for (Size stride : {1, 2}) {
    const Conv2d layer(1, 1, 3, rng, with(stride, 0, 1, 1));
    check_throws_with([&] { layer(Var(random({1, 1, 2, 5}))); }, {"conv: ", "[1, 1, 2, 5]", "[1, 1, 3, 3]"});
    check_throws_with([&] { layer(Var(random({1, 1, 5, 2}))); }, {"conv: ", "[1, 1, 5, 2]"});
    const Conv1d line(1, 1, 3, rng, with(stride, 0, 1, 1));
    check_throws_with([&] { line(Var(random({1, 1, 2}))); }, {"conv1d: ", "[1, 1, 2]", "[1, 1, 3]"});
  }
  const Conv2d dilated(1, 1, 3, rng, with(1, 1, 3, 1));
  check_throws_with([&] { dilated(Var(random({1, 1, 4, 9}))); }, {"conv: ", "padding 1", "dilation 3"});
  CHECK(dilated(Var(random({1, 1, 5, 9}, DType::float32))).shape() == Shape{1, 1, 1, 5});
}

TEST_CASE("channels and options that do not fit are named") {
  Rng rng(1);
  const Conv2d layer(4, 6, 3, rng, with(1, 0, 1, 2));
  check_throws_with([&] { layer(Var(random({1, 3, 5, 5}))); }, {"conv: ", "[1, 3, 5, 5]", "[6, 2, 3, 3]", "2 groups"});
  check_throws_with([&] { layer(Var(random({4, 5, 5}))); }, {"conv: ", "[4, 5, 5]"});
  check_throws_with([&] { Conv1d(4, 6, 3, rng)(Var(random({1, 3, 5}))); }, {"conv1d: ", "[1, 3, 5]", "[6, 4, 3]"});
  check_throws_with([&] { Conv1d(4, 6, 3, rng)(Var(random({4, 5}))); }, {"conv1d: ", "[4, 5]"});
  check_throws_with([&] { Conv2d(4, 6, 3, rng, with(1, 0, 1, 3)); }, {"conv2d: ", "4 to 6 channels", "groups 3"});
  check_throws_with([&] { Conv2d(6, 4, 3, rng, with(1, 0, 1, 3)); }, {"conv2d: ", "6 to 4 channels", "groups 3"});
  check_throws_with([&] { Conv2d(1, 1, 0, rng); }, {"conv2d: ", "kernel 0"});
  check_throws_with([&] { Conv2d(1, 1, 1, rng, with(0, 0, 1, 1)); }, {"conv2d: ", "stride 0"});
  check_throws_with([&] { Conv2d(1, 1, 1, rng, with(1, -1, 1, 1)); }, {"conv2d: ", "padding -1"});
  check_throws_with([&] { Conv1d(1, 1, 1, rng, with(1, 0, 0, 1)); }, {"conv1d: ", "dilation 0"});
  check_throws_with([&] { Conv1d(0, 1, 1, rng); }, {"conv1d: ", "0 to 1 channels"});
  const Var image(random({1, 1, 2, 2})), line(random({1, 1, 2}));
  check_throws_with([&] { conv2d(image, line, Var(), {}); }, {"conv: ", "[1, 1, 2, 2]", "[1, 1, 2]"});
  check_throws_with([&] { conv2d(line, line, Var(), {}); }, {"conv: ", "x [1, 1, 2]", "weight [1, 1, 2]"});
}

TEST_CASE("options set after the construction, or given to conv2d itself, are checked like those of a constructor") {
  const Var x(random({2, 4, 5, 5})), weight(random({6, 2, 3, 3})), bias(random({6}));
  const auto call = [&](const ConvOptions& options) { conv2d(x, weight, bias, options); };
  check_throws_with([&] { call(with(0, 0, 1, 2)); }, {"conv: ", "stride 0", "[2, 4, 5, 5]", "[6, 2, 3, 3]"});
  check_throws_with([&] { call(with(1, -1, 1, 2)); }, {"conv: ", "padding -1"});
  check_throws_with([&] { call(with(1, 0, 0, 2)); }, {"conv: ", "dilation 0"});
  check_throws_with([&] { call(with(1, 0, 1, 0)); }, {"conv: ", "0 groups"});
  check_throws_with([&] { conv2d(x, Var(random({5, 2, 3, 3})), Var(), with(1, 0, 1, 2)); }, {"conv: ", "[5, 2, 3, 3]"});
  check_throws_with([&] { conv2d(x, Var(random({6, 2, 0, 3})), bias, with(1, 0, 1, 2)); }, {"conv: ", "[6, 2, 0, 3]"});
  for (const Shape& other : {Shape{5}, Shape{2, 3}, Shape{1}}) {
    check_throws_with([&] { conv2d(x, weight, Var(random(other)), with(1, 0, 1, 2)); },
                      {"conv: ", "bias " + text(other), "[6, 2, 3, 3]"});
  }
  Rng rng(1);
  Conv1d line(4, 6, 3, rng, with(1, 0, 1, 2));
  line.options.stride = 0;
  check_throws_with([&] { line(Var(random({2, 4, 5}, DType::float32))); }, {"conv1d: ", "stride 0", "[2, 4, 5]"});
  line.options = with(1, -1, 1, 2);
  check_throws_with([&] { line(Var(random({2, 4, 5}, DType::float32))); }, {"conv1d: ", "padding -1"});
}

TEST_CASE("a padding that no number can double is refused") {
  const Var x(random({1, 1, 1, 1}));
  Rng rng(1);
  for (Size padding : {Size{1} << 62, std::numeric_limits<Size>::max()}) {  // doubled, the second would be −2
    check_throws_with([&] { conv2d(x, x, Var(), with(1, padding, 1, 1)); }, {"conv: ", std::to_string(padding)});
    const Var wide(random({1, 1, 3, 3}));
    check_throws_with([&] { conv2d(wide, x, Var(), with(1, padding, 1, 1)); }, {"conv: ", "[1, 1, 3, 3]"});
    check_throws_with([&] { Conv1d(1, 1, 1, rng, with(1, padding, 1, 1))(Var(random({1, 1, 3}))); }, {"conv1d: "});
  }
}

TEST_CASE("a dilation that no number can multiply reaches past every image") {
  const Var x(random({1, 1, 5, 5})), weight(random({1, 1, 3, 3}));
  Rng rng(1);
  for (Size dilation : {Size{1} << 62, std::numeric_limits<Size>::max()}) {
    check_throws_with([&] { conv2d(x, weight, Var(), with(1, 0, dilation, 1)); }, {"conv: ", std::to_string(dilation)});
    check_throws_with([&] { Conv1d(1, 1, 3, rng, with(1, 0, dilation, 1))(Var(random({1, 1, 5}))); }, {"conv1d: "});
    const Var single(random({1, 1, 1, 1}));
    CHECK(conv2d(x, single, Var(), with(1, 0, dilation, 1)).shape() == x.shape());  // one element has no distance
  }
}
