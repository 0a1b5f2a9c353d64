#pragma once
#include "tutorials/12_sparse/patterns.hpp"
#include "tutorials/lesson/core_transformer.hpp"

/// What a transformer of two layers learns with each pattern.

namespace attend::chapter12 {

constexpr Size symbols = 10, layers = 2;

/// A task, how long it is trained, where its answer stands (position i needs position source(i), or none: −1), and the
/// names of the contenders.
struct Trial {
  lesson::SequenceTask task;
  lesson::TrainingPlan plan;
  Size (*source)(Size i);
  std::vector<std::string> names;
};
/// The copy, for which all that sees a near neighbour is alike, and the reversal, for all contenders.
std::vector<Trial> trials();

/// The share of right answers on new sequences.
double learn(const Contender& of, const Trial& trial, std::uint64_t seed);

/// The share of answers that stand within reach of two layers.
double within_reach(const Contender& of, const Trial& trial, std::uint64_t seed);
/// The best that can be expected: the answers within reach, and of the others a guess among all symbols.
double bound(double share_within_reach);

}  // namespace attend::chapter12
