#pragma once

#include <string>
#include <vector>

#include "nn/variants/variant.hpp"
#include "tutorials/lesson/core_transformer.hpp"
#include "tutorials/lesson/results.hpp"

/// What the variants of attention can learn in a small transformer of two layers.

namespace attend::comparison {

/// A task with the model and the training that all variants get alike.
struct Trial {
  lesson::SequenceTask task;
  lesson::CoreTransformerOptions model;
  lesson::TrainingPlan plan;

  bool suits(const Variant& variant) const { return !task.causal || variant.has(trait::causal); }
};

/// Reversal of 32 symbols, 4 heads; and associative recall of 8 pairs, 1 head, causal.
std::vector<Trial> trials();

/// The share of right answers on sequences drawn after the training.
double learn(const Variant& variant, const Trial& trial, std::uint64_t seed);

/// The name of such a figure in results.tsv.
std::string figure_name(const Variant& variant, const Trial& trial);

}  // namespace attend::comparison
