#include "nn/vision_transformer.hpp"

#include <stdexcept>

namespace attend {
namespace {

Size patch_count(Size height, Size width, Size patch) {
  if (patch >= 1 && height >= patch && width >= patch && height % patch == 0 && width % patch == 0) {
    return height / patch * (width / patch);
  }
  throw std::invalid_argument("image patches: patches of " + std::to_string(patch) + " do not divide an image of " +
                              std::to_string(height) + " x " + std::to_string(width));
}

// The options, once they are seen to make a model: no number is drawn for one that is refused.
const VisionOptions& checked(const VisionOptions& options) {
  patch_count(options.height, options.width, options.patch);
  if (options.layers >= 0) return options;
  throw std::invalid_argument("vision transformer: " + std::to_string(options.layers) + " layers");
}

TransformerOptions pre_norm(TransformerOptions options) {
  options.norm = NormPlace::before;
  return options;
}

}  // namespace

Var image_patches(const Var& x, Size patch) {
  const auto [B, C, H, W] = dims<4>(x, "image patches");
  const Size N = patch_count(H, W, patch);
  const Var cut = reshape(x, {B, C, H / patch, patch, W / patch, patch});
  return reshape(permute(cut, {0, 2, 4, 1, 3, 5}), {B, N, C * patch * patch});
}

VisionTransformer::VisionTransformer(const VisionOptions& how, Rng& rng)
    : embed(checked(how).channels * how.patch * how.patch, how.transformer.size, rng),
      class_token(normal_init({how.transformer.size}, 0, 0.02, rng)),
      positions(1 + patch_count(how.height, how.width, how.patch), how.transformer.size, rng),
      norm(how.transformer.size),
      head(how.transformer.size, how.classes, rng),
      options(how) {
  for (Size i = 0; i < options.layers; ++i) layers.emplace_back(pre_norm(options.transformer), rng);
}

Var VisionTransformer::tokens(const Var& x) const {
  const auto [B, C, H, W] = dims<4>(x, "vision transformer");
  if (C != options.channels || H != options.height || W != options.width) {
    throw std::invalid_argument("vision transformer: x " + text(x.shape()) + " for images of " +
                                std::to_string(options.channels) + " x " + std::to_string(options.height) + " x " +
                                std::to_string(options.width));
  }
  const Size size = class_token.shape()[0];
  const Var patches = embed(image_patches(x, options.patch));  // [B, N, size]
  return positions(concat({broadcast_to(class_token, {B, 1, size}), patches}, 1));
}

Var VisionTransformer::operator()(const Var& x, Rng* rng) const {
  Var z = dropout(tokens(x), options.transformer.dropout, rng);
  for (const EncoderLayer& layer : layers) z = layer(z, {}, rng);
  return head(norm(select(z, 1, 0)));
}

std::vector<Var> VisionTransformer::attention_weights(const Var& x) const {
  std::vector<Var> weights;
  Var z = tokens(x);
  for (const EncoderLayer& layer : layers) {
    MultiHeadAttention attention = layer.attention;
    attention.want_weights = true;
    weights.push_back(attention(layer.attention_norm(z)).weights);
    z = layer(z);
  }
  return weights;
}

void VisionTransformer::parameters(const Visit& visit) {
  visit("embed", embed);
  visit("class_token", class_token);
  visit("positions", positions);
  visit("layers", layers);
  visit("norm", norm);
  visit("head", head);
}

}  // namespace attend
