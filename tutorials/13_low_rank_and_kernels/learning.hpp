#pragma once
#include <string>
#include <vector>

#include "tutorials/lesson/core_transformer.hpp"

/// What a transformer of two layers learns with each of them.

namespace attend::chapter13 {

/// An attention for sequences of T positions and heads of width d.
struct Contender {
  std::string name;
  std::function<AttentionCore(Size T, Size d, Rng& rng)> make;
  Size steps;  // of its training
};

/// A task with the model and the training that all get alike, but for the number of steps.
struct Trial {
  lesson::SequenceTask task;
  lesson::CoreTransformerOptions model;
  lesson::TrainingPlan plan;
  std::vector<Contender> contenders;
};
/// The reversal of 32 symbols, and associative recall of 8 pairs.
std::vector<Trial> trials();

/// The share of right answers on sequences drawn after the training.
double learn(const Contender& contender, const Trial& trial, std::uint64_t seed);

}  // namespace attend::chapter13
