#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tutorials/06_many_heads/classifier.hpp"

/// Cross-validation: every sentence is tested once, by a model that has not seen it.

namespace attend::chapter06 {

/// Training sentences, and those that are kept from them.
struct Fold {
  Sentences training, test;
};

/// The sentences in random order, cut into `count` parts of nearly one size; each part is the test of one fold. Throws
/// std::invalid_argument unless there are at least two parts, and as many sentences.
std::vector<Fold> folds_of(const Sentences& sentences, Size count, Rng& rng);

struct TrainingOptions {
  Size epochs = 16;  // the most; how many of them are used, a part of the training sentences decides
  Size batch = 32;
  double rate = 3e-3;
};

struct Trained {
  Classifier model;
  Lexicon lexicon;
  Size epochs;
  double validation_loss;  // the least, on sentences kept from the training ones; 0 where none were
};

/// Trains for exactly so many epochs. `after_epoch(epoch, loss, model)` is called after each.
using AfterEpoch = std::function<void(Size epoch, double loss, const Classifier& model)>;
Trained trained(const Sentences& training, ClassifierOptions model, const TrainingOptions& options, std::uint64_t seed,
                const AfterEpoch& after_epoch = {});

/// First a model on 4/5 of the training sentences, to see after which epoch the loss on the last fifth is least; then a
/// new one on all of them for that many epochs. No test sentence has a part in either.
Trained trained_as_long_as_it_helps(const Sentences& training, const ClassifierOptions& model,
                                    const TrainingOptions& options, std::uint64_t seed);

}  // namespace attend::chapter06
