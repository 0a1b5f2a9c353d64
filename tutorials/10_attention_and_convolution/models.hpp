#pragma once
#include <optional>
#include <string>
#include <variant>

#include "nn/attention/image.hpp"
#include "nn/vision_transformer.hpp"

/// The models of this chapter. Each takes images x [B, 1, height, width] and gives scores [B, classes].

namespace attend::chapter10 {

struct ImageForm {
  Size height, width, classes = 10;
};

/// softmax(x W + b) over the pixels as one long row: no pixel knows its neighbours.
struct LogisticRegression {
  Linear linear;

  LogisticRegression(const ImageForm& form, Rng& rng) : linear(form.height * form.width, form.classes, rng) {}
  Var operator()(const Var& x) const { return linear(reshape(x, {x.shape()[0], -1})); }
  void parameters(const Visit& visit) { visit("linear", linear); }
};

/// The bottleneck block of a residual network. He et al. 2015 (arXiv:1512.03385).
///   y = relu(x + norm(W_3 relu(norm(conv(relu(norm(W_1 x)))))))
/// What nn/attention/image.hpp's AttentionBottleneck is, with a 3 × 3 convolution where that has attention.
struct ConvBottleneck {
  Conv2d narrow, conv, widen;
  BatchNorm narrow_norm, conv_norm, widen_norm;

  ConvBottleneck(Size channels, Size inner, Rng& rng);
  Var operator()(const Var& x, Mode mode) const;
  void parameters(const Visit& visit);
};

/// What stands between the convolutions and the head.
enum class Block { attention, convolution };

/// What the head gets to see: the block's result pooled to a quarter of the image's sides, place by place, or nothing
/// but the mean of each channel.
enum class Head { places, mean };

/// Two 3 × 3 convolutions, a block, and a linear head:
///   x [B, 1, H, W] -> stride 2 [B, 16, H/2, W/2] -> [B, 32, H/2, W/2] -> block -> pooled -> scores [B, classes]
/// The two blocks have about as many numbers to learn.
struct ConvNet {
  Conv2d first, second;
  std::optional<AttentionBottleneck> attention;
  std::optional<ConvBottleneck> convolution;
  Head kind_of_head;
  Linear head;

  ConvNet(const ImageForm& form, Block block, Head head, Rng& rng);
  Var operator()(const Var& x, Mode mode) const;
  /// What the block gets: [B, 32, H/2, W/2].
  Var features(const Var& x) const;
  void parameters(const Visit& visit);
};

enum class Kind { logistic, vision, convolution, attention, convolution_mean, attention_mean };

/// "logistic regression", "ViT", "CNN", "CNN with attention", and the last two with ", mean head".
std::string name_of(Kind kind);

/// What is left out of a model on purpose: these parameters are 0 and are not learned.
enum class Without { nothing, positions, queries };

/// One of them.
struct Model {
  std::variant<LogisticRegression, VisionTransformer, ConvNet> net;
  Without without;

  Model(Kind kind, const ImageForm& form, Rng& rng, Without without = Without::nothing);
  Var operator()(const Var& x, Mode mode) const;
  void parameters(const Visit& visit);
};

}  // namespace attend::chapter10
