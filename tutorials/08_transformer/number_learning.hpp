#pragma once

#include <functional>

#include "tutorials/08_transformer/number_words.hpp"
#include "tutorials/08_transformer/transformer.hpp"

/// How the model of this chapter learns the numbers.

namespace attend::chapter08 {

constexpr Size training_numbers = 3000, validation_numbers = 500;
constexpr Size steps_in_all = 500;
constexpr double highest_rate = 3e-3;

NumberSplit split_for(std::uint64_t seed);

/// The learning rate of a step: it warms up to the highest, and falls to 0 along half a cosine.
double rate_at(Size step);

/// The model, one layer a stack, with its first weights; `activations` as LearningOptions has them.
translation::Learner<Transformer> learner_of(const translation::Task& task, Flaw flaw, std::uint64_t seed,
                                             DType activations = DType::float32);

/// Trains for all steps; the mean of the last 20 losses. `name` is what the progress shows; `look`, where there is one,
/// is called with the number of steps so far, every hundred of them.
double train(const translation::Task& task, const NumberSplit& split, translation::Learner<Transformer>& learner,
             const std::string& name = "learning", const std::function<void(Size step)>& look = nullptr);

}  // namespace attend::chapter08
