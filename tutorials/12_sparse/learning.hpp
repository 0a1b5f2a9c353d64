#pragma once
#include "tutorials/12_sparse/patterns.hpp"
#include "tutorials/lesson/core_transformer.hpp"

/// What a transformer of two layers learns with each pattern.

namespace attend::chapter12 {

constexpr Size length = 32, symbols = 10, layers = 2;

/// The answer at each position is the symbol `back` positions before it; the first `back` do not count.
lesson::SequenceTask copy_task(Size back = 3);

/// A task, how long it is trained, and where its answer stands: position i needs position source(i), or none (−1).
struct Trial {
  lesson::SequenceTask task;
  lesson::TrainingPlan plan;
  Size (*source)(Size i);
};
/// The copy, and the reversal.
std::vector<Trial> trials();

/// The share of right answers on new sequences.
double learn(const Contender& of, const Trial& trial, std::uint64_t seed);

/// The share of answers that stand within reach of two layers.
double within_reach(const Contender& of, const Trial& trial, std::uint64_t seed);
/// The best that can be expected: the answers within reach, and of the others a guess among all symbols.
double bound(double share_within_reach);

}  // namespace attend::chapter12
