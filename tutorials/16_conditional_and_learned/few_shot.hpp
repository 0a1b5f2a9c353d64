#pragma once
#include "nn/attention/attended.hpp"
#include "nn/attention/snail.hpp"
#include "nn/conv.hpp"
#include "tutorials/lesson/images.hpp"

/// One example of each of five digits, and the question which of them another image shows: 5-way 1-shot. Training sees
/// the digits 0 to 4, the test 5 to 9.

namespace attend::chapter16 {

constexpr Size ways = 5, side = 8;

/// Images in classes: class c holds the images members[c] of `pixels`. All turns of one digit have its `digit`.
struct Classes {
  Tensor pixels;  // [N, 1, 8, 8]
  std::vector<std::vector<std::int64_t>> members;
  std::vector<Size> digit;

  Size size() const { return static_cast<Size>(members.size()); }
};

/// The images of the digits first .. last, each digit a class. `turned`: and so is each turn of it by 90, 180 and 270
/// degrees, as in both papers, which make four classes of each letter. Throws std::invalid_argument where a digit has
/// fewer than two images.
Classes classes_of(const lesson::Images& images, Size first, Size last, bool turned);

/// Episodes: `ways` examples, each of another class, under labels that hold for this episode alone, and queries of the
/// same classes.
struct Episodes {
  Tensor support;  // [B, 5, 1, 8, 8]
  Tensor labels;   // int64 [B, 5], each of 0 .. 4 once
  Tensor queries;  // [B, n, 1, 8, 8], never an image of the support
  Tensor answers;  // int64 [B, n]

  Size size() const { return labels.shape()[0]; }
};

/// Which label a class gets: another one in each episode, or its digit (which is wrong: see Break it).
enum class Labels { shuffled, fixed };

/// Throws std::invalid_argument for fewer classes than `ways`.
Episodes draw_episodes(const Classes& classes, Size episodes, Size queries, Labels labels, Rng& rng);
/// The same episodes, their examples in the order that is given.
Episodes reordered(const Episodes& episodes, const std::vector<std::int64_t>& order);

/// What stands for an image: two convolutions and a linear layer, brought to mean 0 and variance 1: without that the
/// scores of SNAIL are too small to learn from. [..., 1, 8, 8] -> [..., features].
struct Embed {
  Conv2d first, second;
  Linear out;

  Embed(Size channels, Size features, Rng& rng);
  Var operator()(const Tensor& images) const;
  void parameters(const Visit& visit);
};

/// A matching network without its full context embeddings: probabilities [B, n, 5], and
/// `look` the weights of the examples beside them.
struct MatchingNetwork {
  Embed embed;
  double sharpness = 10;

  explicit MatchingNetwork(Rng& rng);
  Attended look(const Episodes& episodes) const;
  Var operator()(const Episodes& episodes) const { return look(episodes).context; }
  void parameters(const Visit& visit) { visit("embed", embed); }
};

/// SNAIL: five examples with their labels and one query without make a sequence of six, and what comes out behind the
/// last is the answer: probabilities [B, n, 5].
struct Snail {
  Embed embed;
  std::vector<SnailBlock> blocks;
  Linear out;

  explicit Snail(Rng& rng);
  Var operator()(const Episodes& episodes) const;
  void parameters(const Visit& visit);
};

/// The nearest example by its pixels: int64 [B, n].
enum class Nearness { cosine, euclidean };
Tensor nearest(const Episodes& episodes, Nearness by);

}  // namespace attend::chapter16
