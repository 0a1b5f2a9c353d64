#pragma once
#include <string>
#include <vector>

#include "nn/attention/core.hpp"
#include "tutorials/lesson/core_transformer.hpp"

/// What a transformer of one layer learns with shared queries and keys, and with hashes.

namespace attend::chapter14 {

constexpr Size length = 32, symbols = 10, size = 32, heads = 4;

/// What stands in the layer.
struct Contender {
  std::string name;
  Size rounds;  // of LSH attention; for the others 0
  std::function<AttentionCore(Rng& rng)> make;
};

Contender softmax();
Contender shared_query_key();
/// LSH attention with as many buckets as fill half a chunk each.
Contender hashed(Size chunk, Size rounds);

/// A task, how long it is trained, and with what.
struct Trial {
  lesson::SequenceTask task;
  lesson::TrainingPlan plan;
  std::vector<Contender> contenders;
};
/// Reversal, sorting, and copying from 3 positions before.
std::vector<Trial> trials();

struct Learned {
  lesson::CoreTransformer model;
  double right;  // the share of right answers on new sequences
};
Learned learn(const Contender& with, const Trial& trial, std::uint64_t seed);

/// The same model with so many rounds of new rotations in place of those it was trained with.
lesson::CoreTransformer with_rounds(const lesson::CoreTransformer& model, Size rounds, Rng& rng);
/// The share of right answers of such a model on new sequences.
double tested_with(const Learned& learned, const Trial& trial, Size rounds, std::uint64_t seed);

}  // namespace attend::chapter14
