#pragma once
#include <vector>

#include "nn/position/sinusoidal.hpp"
#include "nn/transformer.hpp"

namespace attend {

/// x [B, C, H, W] cut into squares of patch × patch pixels, row by row -> [B, H / patch · W / patch, C · patch²]; of a
/// patch first the channel, then the row, then the column. A linear layer on it is a convolution with kernel = stride =
/// patch. Throws std::invalid_argument when the patch does not divide height and width.
Var image_patches(const Var& x, Size patch);

struct VisionOptions {
  Size channels = 1, height = 8, width = 8, patch = 2, classes = 10, layers = 2;
  TransformerOptions transformer = {};
};

/// ViT: an image as a text of patches. Dosovitskiy et al. 2020 (arXiv:2010.11929).
///   z_0 = [class ; patch_1 W ; ... ; patch_N W] + positions        logits = head(norm(encoder(z_0)[0]))
/// x [B, C, H, W] -> logits [B, classes]. Pre-norm encoder layers, learned positions, the class read from an extra
/// first token. The feed-forward parts are those of nn/transformer.hpp, with relu where the paper has GELU.
struct VisionTransformer {
  Linear embed;                // [C · patch², size]
  Var class_token;             // [size]
  LearnedPositions positions;  // [1 + N, size]
  std::vector<EncoderLayer> layers;
  LayerNorm norm;
  Linear head;
  VisionOptions options;

  /// Throws std::invalid_argument when the patch does not divide height and width, and for fewer than 0 layers.
  VisionTransformer(const VisionOptions& options, Rng& rng);
  /// Throws std::invalid_argument for an image of another size.
  Var operator()(const Var& x, Rng* rng = evaluation) const;
  /// For each layer, who looks where: [B, heads, 1 + N, 1 + N]; row 0 is what the class token reads from.
  std::vector<Var> attention_weights(const Var& x) const;
  void parameters(const Visit& visit);

 private:
  Var tokens(const Var& x) const;  // z_0 [B, 1 + N, size]
};

}  // namespace attend
