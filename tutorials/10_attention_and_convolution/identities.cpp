#include "tutorials/10_attention_and_convolution/identities.hpp"

#include <utility>

#include "nn/gradcheck.hpp"
#include "tutorials/10_attention_and_convolution/looking.hpp"
#include "tutorials/10_attention_and_convolution/patches.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/gradients.hpp"

namespace attend::chapter10 {
namespace {

constexpr Size B = 2, C = 3, H = 8, W = 6, P = 2, E = 5;  // all different, so that no mix-up can hide
constexpr Size N = H / P * (W / P);

Tensor random_images(const Shape& shape, Rng& rng) { return rng.normal(shape, 0, 1, DType::float64); }

VisionTransformer small_vision(Rng& rng) {
  VisionOptions options;
  options.channels = C;
  options.height = H;
  options.width = W;
  options.transformer.size = 12;
  options.transformer.hidden = 7;
  return cast(VisionTransformer(options, rng), DType::float64);
}

Tensor rows_of_table(const Tensor& table, const std::vector<std::int64_t>& patches) {
  std::vector<std::int64_t> rows = {0};  // the class token keeps its place
  for (const std::int64_t n : patches) rows.push_back(n + 1);
  return take(Var(table), 0, Tensor::from_ints(rows, {static_cast<Size>(rows.size())})).value();
}

double apart(const Var& a, const Var& b) { return lesson::largest_difference(a.value(), b.value()); }

}  // namespace

void claim_patches(lesson::Claims& claims) {
  Rng rng(5);
  const Var x(random_images({B, C, H, W}, rng));
  const Linear linear = cast(Linear(C * P * P, E, rng), DType::float64);
  ConvOptions strided;
  strided.stride = P;
  const Var filters = reshape(transpose(linear.weight), {E, C, P, P});
  const Var by_convolution = conv2d(x, filters, linear.bias, strided);  // [B, E, H / P, W / P]
  claims.below("patches and a linear layer against a strided convolution, difference",
               apart(linear(image_patches(x, P)), transpose(reshape(by_convolution, {B, E, N}))), 1e-12);

  const Linear at_pixel = cast(Linear(C, E, rng), DType::float64);
  const Var pointwise = conv2d(x, reshape(transpose(at_pixel.weight), {E, C, 1, 1}), at_pixel.bias, {});
  claims.below("a 1 × 1 convolution against a linear layer at each pixel, difference",
               apart(permute(pointwise, {0, 2, 3, 1}), at_pixel(permute(x, {0, 2, 3, 1}))), 1e-12);

  const AugmentedConv2d plain = cast(AugmentedConv2d(C, E, 3, 4, 0, 4, H, W, rng), DType::float64);
  claims.at_most("attention beside a convolution, with no channels of its own: difference to the convolution",
                 apart(plain(x), plain.conv(x)), 0);
}

void claim_order(Without left_out, lesson::Claims& claims) {
  Rng rng(6);
  const Var x(random_images({B, C, H, W}, rng));
  const std::vector<std::int64_t> order = rng.permutation(N);
  const Var mixed = with_patches_in_order(x, P, order);
  VisionTransformer vision = small_vision(rng), moved = vision, blind = vision;
  blind.positions.table = Var(Tensor::zeros(vision.positions.table.shape(), DType::float64));
  claims.below("ViT without positions, patches in another order: difference of the scores",
               apart(blind(x), blind(mixed)), 1e-12);
  if (left_out == Without::positions) vision = moved = blind;
  moved.positions.table = Var(rows_of_table(vision.positions.table.value(), order));
  claims.below("ViT, patches and their positions in another order: difference of the scores",
               apart(vision(x), moved(mixed)), 1e-12);
  claims.at_least("ViT, patches alone in another order: difference of the scores", apart(vision(x), vision(mixed)),
                  1e-3);

  const ConvNet convolutional = cast(ConvNet({8, 8}, Block::convolution, Head::mean, rng), DType::float64);
  const Var grey(random_images({B, 1, 8, 8}, rng));
  const Var mixed_grey = with_patches_in_order(grey, P, rng.permutation(16));
  claims.at_least("CNN with a mean head, patches in another order: difference of the scores",
                  apart(convolutional(grey, Mode::evaluation), convolutional(mixed_grey, Mode::evaluation)), 1e-3);
}

void claim_shares(lesson::Claims& claims) {
  Rng rng(7);
  const std::vector<Var> weights = small_vision(rng).attention_weights(Var(random_images({B, C, H, W}, rng)));
  double gap = 0;
  for (const Var& layer : weights) {
    const Var sums = sum(layer, {-1});
    gap = std::max(gap, apart(sums, Var(Tensor::ones(sums.shape(), DType::float64))));
  }
  claims.below("weights of a token: their sum, less 1", gap, 1e-14);
  const Var sums = sum(Var(rollout(weights)), {-1});
  claims.below("rollout of a token: its sum, less 1", apart(sums, Var(Tensor::ones(sums.shape(), DType::float64))),
               1e-14);
}

void claim_gradients(std::uint64_t seed, lesson::Claims& claims) {
  Rng rng(seed);
  GradcheckOptions settings;
  settings.seed = seed;
  settings.most_elements = 24;  // of each input and parameter, drawn at random
  const Tensor x = random_images({B, C, 4, 6}, rng);
  ConvOptions strided;
  strided.stride = P;
  std::vector<GradcheckReport> reports = {
      gradcheck_layer(
          "patches and a linear layer", Linear(C * P * P, E, rng), {x},
          [](const Linear& layer, const Vars& in) { return layer(image_patches(in[0], P)); }, settings),
      gradcheck_layer(
          "strided convolution", Conv2d(C, E, P, rng, strided), {x},
          [](const Conv2d& layer, const Vars& in) { return layer(in[0]); }, settings),
      gradcheck_layer(
          "attention between pixels, 4 heads", ImageAttention(C, 8, 12, 4, 4, 6, rng), {x},
          [](const ImageAttention& layer, const Vars& in) { return layer(in[0]).context; }, settings)};
  lesson::claim_gradients(std::move(reports), claims);
}

}  // namespace attend::chapter10
