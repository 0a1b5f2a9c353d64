#include "nn/attention/image.hpp"

#include <doctest/doctest.h>

#include "nn/pool.hpp"
#include "tests/nn/attention/by_hand.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// All sizes differ.
constexpr Size B = 2, C = 3, H = 4, W = 5, heads = 2, key_channels = 6, value_channels = 8, d = key_channels / heads;
const Tensor x = random({B, C, H, W}, DType::float64, 2);

ImageAttention exact() {
  Rng rng(1);
  return shaken(ImageAttention(C, key_channels, value_channels, heads, H, W, rng));
}

Var pixels_of(const Var& image) { return permute(reshape(image, {image.shape()[0], image.shape()[1], -1}), {0, 2, 1}); }

AugmentedConv2d augmented(Size attention_channels) {
  Rng rng(1);
  return shaken(AugmentedConv2d(C, 7, 3, key_channels, attention_channels, heads, H, W, rng));
}

AttentionBottleneck bottleneck() {
  Rng rng(1);
  return shaken(AttentionBottleneck(C, 4, heads, H, W, rng));
}

}  // namespace

TEST_CASE("attention between pixels agrees with plain loops, relative rows and columns included") {
  const ImageAttention layer = exact();
  const Attended found = layer(Var(x));
  CHECK(found.context.shape() == Shape{B, value_channels, H, W});
  CHECK(found.weights.shape() == Shape{B, heads, H * W, H * W});
  const Tensor pixels = pixels_of(Var(x)).value(), context = pixels_of(found.context).value();
  const Tensor &rows = layer.row_table.value(), &columns = layer.column_table.value();
  for (Size h = 0; h < heads; ++h) {
    const Size dv = value_channels / heads;
    const Tensor q = project_by_hand(layer.queries, pixels, h * d, d),
                 k = project_by_hand(layer.keys, pixels, h * d, d),
                 v = project_by_hand(layer.values, pixels, h * dv, dv);
    for (Size b = 0; b < B; ++b) {
      for (Size i = 0; i < H * W; ++i) {
        std::vector<double> e;
        double total = 0;
        for (Size j = 0; j < H * W; ++j) {
          double score = 0;
          for (Size c = 0; c < d; ++c) {
            score += q.at({b, i, c}) *
                     (k.at({b, j, c}) + rows.at({j / W - i / W + H - 1, c}) + columns.at({j % W - i % W + W - 1, c}));
          }
          e.push_back(std::exp(score / std::sqrt(3.0)));
          total += e.back();
        }
        for (Size j = 0; j < H * W; ++j) {
          check_close(found.weights.value().at({b, h, i, j}), e[static_cast<std::size_t>(j)] / total, 1e-13);
        }
        for (Size c = 0; c < dv; ++c) {
          double sum = 0;
          for (Size j = 0; j < H * W; ++j) sum += e[static_cast<std::size_t>(j)] / total * v.at({b, j, c});
          check_close(context.at({b, i, h * dv + c}), sum, 1e-13);
        }
      }
    }
  }
}

TEST_CASE("without its tables, attention between pixels does not know where they are; with them it does") {
  ImageAttention layer = exact();
  const Var turned = flip(Var(x), {2, 3});
  CHECK(sum(abs(layer(turned).context - flip(layer(Var(x)).context, {2, 3}))).item() > 1e-2);
  layer.row_table = Var(Tensor::zeros({2 * H - 1, d}, DType::float64));
  layer.column_table = Var(Tensor::zeros({2 * W - 1, d}, DType::float64));
  check_agree(layer(turned).context, flip(layer(Var(x)).context, {2, 3}), 1e-13);
}

TEST_CASE("every pixel is one step away: attention's derivative reaches the whole image") {
  const Var in = Var::parameter(x);
  const Var y = slice(slice(exact()(in).context, 2, 0, 1), 3, 0, 1);
  for (double each : sum(abs(random_gradients(y, {in})[0]), {1}).value().to_vector()) CHECK(each != 0);
}

TEST_CASE("an augmented convolution is a convolution and attention side by side") {
  const AugmentedConv2d layer = augmented(2);
  const Var y = layer(Var(x));
  CHECK(y.shape() == Shape{B, 7, H, W});
  check_agree(slice(y, 1, 0, 5), layer.conv(Var(x)), 0);
  const Tensor seen = pixels_of((*layer.attention)(Var(x)).context).value();
  check_agree(pixels_of(slice(y, 1, 5, 2)), project_by_hand(*layer.output, seen, 0, 2), 1e-13);
}

TEST_CASE("without attention channels it is the plain convolution, and learns no more") {
  const AugmentedConv2d layer = augmented(0);
  CHECK(same_bits(layer(Var(x)), layer.conv(Var(x))));
  CHECK(parameter_count(layer) == parameter_count(layer.conv));
}

TEST_CASE("on an image of one pixel attention is linear") {
  Rng rng(1);
  const AugmentedConv2d layer = shaken(AugmentedConv2d(C, 7, 1, key_channels, 4, heads, 1, 1, rng));
  const Var pixel(random({B, C, 1, 1}, DType::float64, 5));
  const Var flat = reshape(pixel, {B, C});
  const Var expected = (*layer.output)(layer.attention->values(flat));
  check_agree(reshape(slice(layer(pixel), 1, 3, 4), {B, 4}), expected, 1e-14);
}

TEST_CASE("a bottleneck with attention is its parts, one after the other") {
  const AttentionBottleneck layer = bottleneck();
  for (Mode mode : {Mode::training, Mode::evaluation}) {
    const AttentionBottleneck parts = layer;
    const Var narrowed = relu(parts.narrow_norm(parts.narrow(Var(x)), mode));
    const Var seen = relu(parts.attention_norm(parts.attention(narrowed).context, mode));
    const Var expected = relu(Var(x) + parts.widen_norm(parts.widen(seen), mode));
    check_agree(AttentionBottleneck(layer)(Var(x), mode), expected, 1e-14);
  }
}

TEST_CASE("a new bottleneck is relu(x), and in evaluation a sample does not depend on the others") {
  Rng rng(1);
  const AttentionBottleneck fresh = cast(AttentionBottleneck(C, 4, heads, H, W, rng), DType::float64);
  check_agree(fresh(Var(x), Mode::training), relu(Var(x)), 0);
  const AttentionBottleneck layer = bottleneck();
  const Var y = layer(Var(x), Mode::evaluation);
  for (Size b = 0; b < B; ++b) {
    check_agree(layer(of_batch(Var(x), b), Mode::evaluation), of_batch(y, b), 1e-13);
    check_agree(augmented(2)(of_batch(Var(x), b)), of_batch(augmented(2)(Var(x)), b), 1e-13);
  }
  std::string names;
  for (const auto& [name, buffer] : named_buffers(layer)) names += name + " ";
  CHECK(names ==
        "narrow_norm.running_mean narrow_norm.running_variance attention_norm.running_mean "
        "attention_norm.running_variance widen_norm.running_mean widen_norm.running_variance ");
}

TEST_CASE("attention between pixels refuses heads, channels and images that do not fit") {
  Rng rng(1);
  const Rng before = rng;
  check_throws_with([&] { ImageAttention(3, 6, 8, 4, 2, 2, rng); },
                    {"image attention: ", "4 heads", "6 key", "8 value"});
  check_throws_with([&] { ImageAttention(3, 6, 7, 2, 2, 2, rng); }, {"image attention: ", "2 heads", "7 value"});
  check_throws_with([&] { ImageAttention(3, 6, 8, 2, 0, 2, rng); }, {"image attention: ", "0 x 2"});
  check_throws_with([] { exact()(Var(random({B, C, W, H}))); }, {"image attention: ", "[2, 3, 5, 4]", "4 x 5"});
  check_throws_with([] { exact()(Var(random({B, C, H}))); }, {"image attention: ", "[2, 3, 4]"});
  check_throws_with([] { augmented(7); }, {"augmented convolution: ", "7 attention channels", "7"});
  check_throws_with([] { augmented(-1); }, {"augmented convolution: ", "-1"});
  check_throws_with([&] { AugmentedConv2d(3, 4, 2, 2, 2, 1, 2, 2, rng); }, {"augmented convolution: ", "kernel 2"});
  check_throws_with([&] { AugmentedConv2d(3, 4, 3, 3, 2, 2, 2, 2, rng); }, {"image attention: ", "2 heads", "3 key"});
  check_throws_with([&] { AttentionBottleneck(3, 4, 3, 2, 2, rng); }, {"image attention: ", "3 heads", "4 key"});
  CHECK(rng == before);
}
