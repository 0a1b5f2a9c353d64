#pragma once
#include <vector>

#include "tutorials/10_attention_and_convolution/learning.hpp"
#include "tutorials/lesson/overlay.hpp"

/// Where a trained model looks, and whether that is what it needs.

namespace attend::chapter10 {

/// What the class token of a ViT reads from each patch in the last layer, head by head: [B, heads, N]. What it reads
/// from itself is left out, so that a row sums to less than 1.
Tensor class_token_looks(const VisionTransformer& model, const Tensor& pixels);

/// Attention rollout: how much of each position's input has reached each position through all layers, if every layer
/// passed half of its result around the attention and mixed the other half by its mean over the heads. Abnar and
/// Zuidema 2020 (arXiv:2005.00928).
///   R = Ã_L ... Ã_1        Ã_l = (mean over heads of A_l + 1) / 2
/// weights of each layer [B, heads, T, T] -> [B, T, T]; its rows sum to 1.
Tensor rollout(const std::vector<Var>& weights);

/// The class token's row of the rollout, without the token itself: [B, N].
Tensor class_token_rollout(const VisionTransformer& model, const Tensor& pixels);

/// The attention block of a CNN, head by head: how much is read from each pixel of its feature map, the mean over all
/// pixels that look, [B, heads, H/2 · W/2]. Each row sums to 1.
Tensor pixel_looks(const ConvNet& model, const Tensor& pixels);

/// How alike the heads look: Σⱼ min(a_j, b_j) of two heads' weights, each made to sum to 1, as a mean over all pairs of
/// heads and all images. 1: they look at the same places; 0: at no place in common. looks [B, heads, N].
double overlap_of_heads(const Tensor& looks);

/// The probability that a ViT gives to the right class, as a mean over images.
struct Occlusion {
  double with_all;           // nothing hidden
  double without_looked_at;  // the patch hidden that the class token looks at most, in the last layer, all heads
  double without_rollout;    // that with the largest rollout
  double without_other;      // another patch with ink, drawn at random
};

/// A patch is hidden by setting its pixels to 0, the background. `model` is a ViT.
Occlusion occlude(const Model& model, const lesson::Images& images, Rng& rng);

/// Image b of `pixels` [B, 1, H, W], and row b of `looks` [B, N] over it, N a square number.
lesson::Matrix image_matrix(const Tensor& pixels, Size b);
lesson::Overlay overlay(const Tensor& pixels, const Tensor& looks, Size b, const std::string& title);

}  // namespace attend::chapter10
