#include "tutorials/10_attention_and_convolution/looking.hpp"

#include <algorithm>
#include <cmath>

#include "tensor/kernels.hpp"

namespace attend::chapter10 {
namespace {

// The identity of n rows.
Tensor identity(Size n, DType dtype) { return kernel::one_hot(Tensor::arange(n), n, dtype); }

Tensor mean_over_heads(const Tensor& looks) { return mean(Var(looks), {1}).value(); }

// The ink of each patch, [N].
std::vector<double> ink_of_patches(const Tensor& pixels, Size b, Size patch) {
  return sum(image_patches(Var(slice(pixels, 0, b, 1)), patch), {0, 2}).value().to_vector();
}

// The images with one patch each set to the background.
Tensor hidden(const Tensor& pixels, const std::vector<Size>& patch_of_image, Size patch) {
  std::vector<double> values = pixels.to_vector();
  const Size H = pixels.shape()[2], W = pixels.shape()[3], across = W / patch;
  for (std::size_t b = 0; b < patch_of_image.size(); ++b) {
    const Size top = patch_of_image[b] / across * patch, left = patch_of_image[b] % across * patch;
    for (Size u = 0; u < patch; ++u) {
      for (Size v = 0; v < patch; ++v) {
        values[static_cast<std::size_t>((static_cast<Size>(b) * H + top + u) * W + left + v)] = 0;
      }
    }
  }
  return Tensor::from(values, pixels.shape());
}

double mean_of_right(const Model& model, const Tensor& pixels, const Tensor& labels) {
  const Tensor right = kernel::gather(probabilities(model, pixels), 1, reshape(labels, {labels.size(), 1}));
  return mean(Var(right)).item();
}

std::vector<Size> largest_of_each(const Tensor& looks) {
  const std::vector<std::int64_t> best = kernel::argmax(looks, -1, false).to_ints();
  return {best.begin(), best.end()};
}

// A patch that holds at least as much ink as the mean patch and is not `looked_at`.
Size another_with_ink(const std::vector<double>& ink, Size looked_at, Rng& rng) {
  double total = 0;
  for (const double patch : ink) total += patch;
  std::vector<Size> candidates;
  for (std::size_t i = 0; i < ink.size(); ++i) {
    const bool inked = ink[i] * static_cast<double>(ink.size()) >= total;
    if (inked && static_cast<Size>(i) != looked_at) candidates.push_back(static_cast<Size>(i));
  }
  return candidates[static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(candidates.size())))];
}

}  // namespace

Tensor class_token_looks(const VisionTransformer& model, const Tensor& pixels) {
  const Recording off(false);
  const Var last = model.attention_weights(Var(pixels)).back();  // [B, heads, 1 + N, 1 + N]
  const Var row = select(last, 2, 0);                            // [B, heads, 1 + N]
  return slice(row, 2, 1, row.shape()[2] - 1).value();
}

Tensor rollout(const std::vector<Var>& weights) {
  const Recording off(false);
  Var reached;
  for (const Var& layer : weights) {
    const Var mixed = (mean(layer, {1}) + Var(identity(layer.shape()[3], layer.dtype()))) / 2.0;  // [B, T, T]
    reached = reached.defined() ? matmul(mixed, reached) : mixed;
  }
  return reached.value();
}

Tensor class_token_rollout(const VisionTransformer& model, const Tensor& pixels) {
  const Recording off(false);
  const Var row = select(Var(rollout(model.attention_weights(Var(pixels)))), 1, 0);  // [B, 1 + N]
  return slice(row, 1, 1, row.shape()[1] - 1).value();
}

Tensor pixel_looks(const ConvNet& model, const Tensor& pixels) {
  const Recording off(false);
  const AttentionBottleneck& block = *model.attention;
  const Var narrowed = relu(block.narrow_norm(block.narrow(model.features(Var(pixels))), Mode::evaluation));
  return mean(block.attention(narrowed).weights, {2}).value();
}

double overlap_of_heads(const Tensor& looks) {
  const Recording off(false);
  const Var shares = Var(looks) / sum(Var(looks), {2}, true);
  const Size heads = looks.shape()[1];
  double total = 0, pairs = 0;
  for (Size h = 0; h < heads; ++h) {
    for (Size other = h + 1; other < heads; ++other) {
      total += mean(sum(minimum(select(shares, 1, h), select(shares, 1, other)), {1})).item();
      ++pairs;
    }
  }
  return total / pairs;
}

Occlusion occlude(const Model& model, const lesson::Images& images, Rng& rng) {
  const VisionTransformer& vision = std::get<VisionTransformer>(model.net);
  const Size patch = vision.options.patch;
  const std::vector<Size> looked_at = largest_of_each(mean_over_heads(class_token_looks(vision, images.pixels)));
  const std::vector<Size> rolled_out = largest_of_each(class_token_rollout(vision, images.pixels));
  std::vector<Size> others;
  for (std::size_t b = 0; b < looked_at.size(); ++b) {
    others.push_back(another_with_ink(ink_of_patches(images.pixels, static_cast<Size>(b), patch), looked_at[b], rng));
  }
  const auto without = [&](const std::vector<Size>& patches) {
    return mean_of_right(model, hidden(images.pixels, patches, patch), images.labels);
  };
  return {mean_of_right(model, images.pixels, images.labels), without(looked_at), without(rolled_out), without(others)};
}

lesson::Matrix image_matrix(const Tensor& pixels, Size b) {
  return {pixels.shape()[2], pixels.shape()[3], slice(pixels, 0, b, 1).to_vector()};
}

lesson::Overlay overlay(const Tensor& pixels, const Tensor& looks, Size b, const std::string& title) {
  const Size side = static_cast<Size>(std::lround(std::sqrt(static_cast<double>(looks.shape()[1]))));
  return {image_matrix(pixels, b), lesson::Matrix(side, side, slice(looks, 0, b, 1).to_vector()), title};
}

}  // namespace attend::chapter10
