#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tutorials/10_attention_and_convolution/looking.hpp"
#include "tutorials/10_attention_and_convolution/tasks.hpp"

/// All models of this chapter on one task, and the figures of the page.

namespace attend::chapter10 {

/// What is broken on purpose. Then only the two models that a break concerns are trained, a ViT and a CNN with
/// attention.
struct Breaking {
  Without without = Without::nothing;
  bool columns_at_test = false;  // the test's patches come column by column

  bool anything() const { return without != Without::nothing || columns_at_test; }
};

struct Outcome {
  Model model;
  Size parameters;
  double accuracy, seconds;
};

struct Experiment {
  std::map<Kind, Outcome> of;
  std::optional<double> blind_accuracy;  // of a ViT without positions; only of the digits
  double vision_overlap, pixel_overlap;
  Occlusion occlusion;

  double accuracy(Kind kind) const { return of.at(kind).accuracy; }
  /// Points of accuracy that a CNN's block with attention is ahead of one with a convolution.
  double gain(Head head) const;
};

/// Trains the models and shows how it goes. The same seed gives the same figures.
Experiment run_experiment(const Task& task, std::uint64_t seed, const Breaking& breaking);

/// The figures of unbroken models under the names that they have in the results' file.
std::vector<std::pair<std::string, double>> named(const Experiment& experiment);

}  // namespace attend::chapter10
