#pragma once
#include <functional>

#include "nn/attention/hard.hpp"
#include "nn/embedding.hpp"
#include "nn/linear.hpp"
#include "tutorials/lesson/images.hpp"

/// A digit hidden among scraps of others, a coarse glance at the whole, and one sharp glimpse at a place of 8 × 8
/// pixels. Where to look is learned by reward alone.

namespace attend::chapter16 {

constexpr Size glimpse_side = 8, digit_classes = 10;

/// Pictures of grid × grid places of 8 × 8 pixels. One place holds a digit, each other one two scraps of 4 × 4 pixels,
/// cut out of other digits.
struct HiddenDigits {
  Tensor canvas;    // [B, 8 grid, 8 grid]
  Tensor glance;    // [B, (2 grid)²], the means of 4 × 4 pixels
  Tensor glimpses;  // [B, 1, grid², 64], the places row by row
  Tensor place;     // int64 [B], of the digit
  Tensor labels;    // int64 [B], which digit it is
};
/// Throws std::invalid_argument for a grid below 1 and for no pictures.
HiddenDigits draw_hidden(const lesson::Images& digits, Size count, Size grid, Rng& rng);
/// The same with a blank glance.
HiddenDigits without_glance(HiddenDigits pictures);

/// Three divisions of the digits: to train, to choose settings by, to test.
struct DigitSplit {
  lesson::Images training, validation, test;
};
DigitSplit split_for_glimpses(const lesson::Images& digits, Rng& rng);

/// Where to look, by the glance: scores = tanh(glance W) kᵀ / √d, one key for each place.
struct Policy {
  Linear hidden;
  Embedding keys;

  Policy(Size grid, Rng& rng);
  Var query(const Tensor& glance) const;   // [B, 1, 1, d]
  Var key(Size B) const;                   // [B, 1, grid², d]
  Var scores(const Tensor& glance) const;  // [B, grid²]
  void parameters(const Visit& visit);
};

/// How a glimpse is chosen: drawn by the policy, drawn evenly, or not at all: soft takes the weighted mean of all.
enum class Look { hard, random, soft };

/// A policy and a network that names the digit in a glimpse.
struct Looker {
  Policy policy;
  Linear first, second;
  Look look;

  Looker(Look look, Size grid, Rng& rng);
  Var classify(const Var& glimpse) const;  // [..., 64] -> scores [..., 10]
  void parameters(const Visit& visit);
};

struct LookPlan {
  Size steps, grid = 2, batch = 64;
  double rate = 3e-3;
  bool with_baseline = true;  // the mean reward of the batch
  double sign = 1;            // −1 follows the gradient the wrong way
  bool blind = false;         // the glance is blank
};

/// A looker with the first weights of that seed.
Looker untrained_looker(Look look, const LookPlan& plan, std::uint64_t seed);

/// Trains it: cross-entropy for the names, REINFORCE with the reward "named rightly" for the places.
using WatchLooker = std::function<void(Size step, double loss, const Looker& looker)>;
Looker learn_to_look(Look look, const LookPlan& plan, const lesson::Images& digits, std::uint64_t seed,
                     const WatchLooker& watch);

/// The shares of glimpses on the digit and of digits named rightly. A hard looker takes the likeliest place, a random
/// one draws; of a soft one it is the weight on the digit.
struct Looked {
  double on_digit, right;
};
Looked look_at(const Looker& looker, const HiddenDigits& pictures, Rng& rng);

/// What reward each place would bring: 1 where its glimpse is named rightly. [B, grid²]
Tensor all_rewards(const Looker& looker, const HiddenDigits& pictures);

}  // namespace attend::chapter16
