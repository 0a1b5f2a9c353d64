#include "nn/vision_transformer.hpp"

#include <doctest/doctest.h>

#include "nn/conv.hpp"
#include "tests/nn/attention/by_hand.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// 2 x 3 patches of 2 x 2 pixels.
constexpr Size B = 2, C = 3, H = 4, W = 6, P = 2, N = 6, size = 8, classes = 5;
const Tensor x = random({B, C, H, W}, DType::float64, 2);

VisionTransformer exact(Size layers = 2) {
  Rng rng(1);
  return shaken(VisionTransformer({C, H, W, P, classes, layers, {size, 2, 7, 0, NormPlace::before}}, rng));
}

}  // namespace

TEST_CASE("patches are cut row by row, and hold channels, then rows, then columns") {
  const Tensor patches = image_patches(Var(x), P).value();
  CHECK(patches.shape() == Shape{B, N, C * P * P});
  for (Size b = 0; b < B; ++b) {
    for (Size n = 0; n < N; ++n) {
      for (Size c = 0; c < C; ++c) {
        for (Size u = 0; u < P; ++u) {
          for (Size v = 0; v < P; ++v) {
            CHECK(patches.at({b, n, (c * P + u) * P + v}) == x.at({b, c, n / 3 * P + u, n % 3 * P + v}));
          }
        }
      }
    }
  }
}

TEST_CASE("a linear layer over patches is a convolution with kernel and stride of a patch") {
  const VisionTransformer model = exact();
  ConvOptions options;
  options.stride = P;
  const Var weight = reshape(transpose(model.embed.weight), {size, C, P, P});
  const Var y = conv2d(Var(x), weight, model.embed.bias, options);  // [B, size, H / P, W / P]
  check_agree(model.embed(image_patches(Var(x), P)), transpose(reshape(y, {B, size, N})), 1e-14);
}

TEST_CASE("the logits are the head of the class token behind the encoder") {
  const VisionTransformer model = exact();
  const Var token = broadcast_to(reshape(model.class_token, {1, 1, size}), {B, 1, size});
  Var z = concat({token, model.embed(image_patches(Var(x), P))}, 1) + model.positions.table;
  for (const EncoderLayer& layer : model.layers) z = layer(z);
  const Var logits = model(Var(x));
  CHECK(logits.shape() == Shape{B, classes});
  check_agree(logits, model.head(model.norm(select(z, 1, 0))), 1e-13);
}

TEST_CASE("without layers the image is not looked at: the class token sees nothing") {
  const VisionTransformer blind = exact(0);
  check_agree(blind(Var(x)), blind(0 * Var(x)), 0);
  CHECK(sum(abs(exact(1)(Var(x)) - exact(1)(0 * Var(x)))).item() > 1e-3);
}

TEST_CASE("patches in another order are another image, unless the positions are gone") {
  VisionTransformer model = exact();
  const Var mirrored = concat({slice(Var(x), 3, 4, 2), slice(Var(x), 3, 2, 2), slice(Var(x), 3, 0, 2)}, 3);
  CHECK(sum(abs(model(mirrored) - model(Var(x)))).item() > 1e-3);
  model.positions.table = Var(Tensor::zeros({1 + N, size}, DType::float64));
  check_agree(model(mirrored), model(Var(x)), 1e-12);
}

TEST_CASE("an image's logits do not depend on the others, and dropout is drawn in training only") {
  const VisionTransformer model = exact();
  for (Size b = 0; b < B; ++b) check_agree(model(of_batch(Var(x), b)), of_batch(model(Var(x)), b), 1e-13);
  Rng rng(1), noise(2);
  VisionOptions options = model.options;
  options.transformer.dropout = 0.5;
  const VisionTransformer noisy = cast(VisionTransformer(options, rng), DType::float64);
  CHECK(same_bits(noisy(Var(x)), noisy(Var(x))));
  CHECK_FALSE(same_bits(noisy(Var(x), &noise), noisy(Var(x))));
}

TEST_CASE("the weights of every layer can be looked at, and are those that are used") {
  const VisionTransformer model = exact();
  const std::vector<Var> weights = model.attention_weights(Var(x));
  REQUIRE(weights.size() == 2);
  for (const Var& each : weights) {
    CHECK(each.shape() == Shape{B, 2, 1 + N, 1 + N});
    check_close(sum(each, {-1}), {B, 2, 1 + N}, std::vector<double>(B * 2 * (1 + N), 1), 1e-14);
  }
  const Var token = broadcast_to(reshape(model.class_token, {1, 1, size}), {B, 1, size});
  const Var z = concat({token, model.embed(image_patches(Var(x), P))}, 1) + model.positions.table;
  const auto of_layer = [](const EncoderLayer& layer, const Var& in) {
    return layer.attention(layer.attention_norm(in)).weights;
  };
  check_agree(weights[0], of_layer(model.layers[0], z), 1e-14);
  check_agree(weights[1], of_layer(model.layers[1], model.layers[0](z)), 1e-13);

  VisionTransformer in_tiles = model;  // nobody asks for the weights of its passes, but they can still be looked at
  for (EncoderLayer& layer : in_tiles.layers) layer.attention.want_weights = false;
  check_agree(in_tiles(Var(x)), model(Var(x)), 1e-13);
  for (std::size_t i = 0; i < 2; ++i) check_agree(in_tiles.attention_weights(Var(x))[i], weights[i], 1e-13);
}

TEST_CASE("images and patches that do not fit are named") {
  Rng rng(1);
  const Rng before = rng;
  check_throws_with([] { image_patches(Var(x), 4); }, {"image patches: ", "patches of 4", "4 x 6"});
  check_throws_with([] { image_patches(Var(x), 0); }, {"image patches: ", "patches of 0"});
  check_throws_with([] { image_patches(Var(random({C, H, W})), 2); }, {"image patches: ", "[3, 4, 6]"});
  check_throws_with([&] { VisionTransformer({1, 8, 9, 2, 10, 1, {}}, rng); }, {"image patches: ", "8 x 9"});
  CHECK(rng == before);
  check_throws_with([] { exact()(Var(random({B, C, W, H}))); }, {"vision transformer: ", "[2, 3, 6, 4]", "3 x 4 x 6"});
}

TEST_CASE("a negative number of layers is refused, and none are allowed") {
  Rng rng(1);
  const Rng before = rng;
  VisionOptions options;
  options.layers = -1;
  check_throws_with([&] { VisionTransformer(options, rng); }, {"vision transformer: ", "-1 layers"});
  CHECK(rng == before);
  options.layers = 0;
  CHECK(VisionTransformer(options, rng)(Var(Tensor::zeros({1, 1, 8, 8}))).shape() == Shape{1, 10});
}
