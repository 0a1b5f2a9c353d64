#pragma once
#include "tutorials/lesson/core_transformer.hpp"

/// Recall of pairs, where weights that are exactly 0 stand in the way of learning.

namespace attend::chapter16 {

constexpr Size pairs = 6, recall_symbols = 24, recall_steps = 600;

/// The share of the pairs of a query and the key it needs that have a weight above 0; all others get no derivative. In
/// the first layer a value needs the key before it, in the second a question needs the value that it asks for.
struct Needed {
  double first, second;
};
Needed needed_pairs(const lesson::CoreTransformer& model, const lesson::SequenceBatch& batch);

/// A course of two layers: `soft_steps` with softmax attention, and the rest with `core`.
struct Recalled {
  Needed at_first, at_last;
  double right;
};
Recalled learn_recall(const AttentionCore& core, Size soft_steps, Size steps, std::uint64_t seed);

}  // namespace attend::chapter16
