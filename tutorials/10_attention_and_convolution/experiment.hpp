#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tutorials/10_attention_and_convolution/looking.hpp"
#include "tutorials/10_attention_and_convolution/tasks.hpp"

/// All models of this chapter on one task, and the figures of the page.

namespace attend::chapter10 {

struct Breaking {
  Without without = Without::nothing;  // of the ViT, and of the CNNs with attention
  bool columns_at_test = false;        // the test's patches come column by column
};

struct Outcome {
  Model model;
  Size parameters;
  double accuracy, seconds;
};

struct Experiment {
  std::map<Kind, Outcome> of;
  double blind_accuracy;  // of a ViT without positions; only of the digits
  double vision_overlap, pixel_overlap;
  Occlusion occlusion;

  double accuracy(Kind kind) const { return of.at(kind).accuracy; }
  /// Points of accuracy that a CNN's block with attention is ahead of one with a convolution.
  double gain(Head head) const;
};

/// Trains all models and shows how it goes. The same seed gives the same figures.
Experiment run_experiment(const Task& task, std::uint64_t seed, const Breaking& breaking);

/// The figures under the names that they have in the results' file.
std::vector<std::pair<std::string, double>> named(const Task& task, const Experiment& experiment);

}  // namespace attend::chapter10
