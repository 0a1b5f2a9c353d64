#pragma once

#include "tutorials/06_many_heads/sentences.hpp"

/// What to compare with: logistic regression on which words occur, without attention and without embeddings.

namespace attend::chapter06 {

/// Learns from `training` and gives the share of `test` that it gets right:
///   P(praise) = σ(x · w + b)     x = 1 for each word of the lexicon that the sentence has, else 0
/// The loss is the mean cross-entropy plus ‖w‖² / 2n for n training sentences, as scikit-learn has it unless told
/// otherwise; it has one minimum, so there is nothing to draw.
double bag_of_words_right(const Sentences& training, const Sentences& test);

}  // namespace attend::chapter06
