#pragma once
#include <functional>

#include "nn/loss.hpp"
#include "nn/schedule.hpp"
#include "nn/train.hpp"
#include "tutorials/16_conditional_and_learned/few_shot.hpp"
#include "tutorials/lesson/difference.hpp"

/// Training by episodes, and asking.

namespace attend::chapter16 {

struct FewShotPlan {
  Size steps;
  Labels labels = Labels::shuffled;
  Size batch = 16, queries = 5;
  double rate = 3e-3;  // falls to 0 along half a cosine
};

/// Where the images come from: to train on, others of the same digits, and the digits of the test.
struct FewShotData {
  Classes training, known, unknown;
};
/// `turned`: the training knows four turns of each of its digits as classes of their own.
FewShotData few_shot_data(bool turned, Rng& rng);

/// `Model` is MatchingNetwork or Snail. The seed fixes the first weights and the episodes.
template <class Model>
Model learn_to_compare(const Classes& classes, const FewShotPlan& plan, std::uint64_t seed,
                       const std::function<void(Size step, double loss)>& watch) {
  Rng rng(seed);
  Rng weights = rng.split(), draws = rng.split();
  Model model(weights);
  Adam adam(plan.rate);
  const auto loss_of = [&](const Model& now, Rng& stream) {
    const Episodes drawn = draw_episodes(classes, plan.batch, plan.queries, plan.labels, stream);
    return negative_log_likelihood(log(now(drawn)), drawn.answers);
  };
  for (Size step = 1; step <= plan.steps; ++step) {
    adam.learning_rate = cosine_rate(step, plan.rate, plan.steps);
    watch(step, train_step(model, adam, loss_of, draws, {step, 1.0}).loss);
  }
  return model;
}

/// The labels that a model gives: int64 [B, n].
template <class Model>
Tensor answers_of(const Model& model, const Episodes& episodes) {
  const Recording off(false);
  return argmax(model(episodes), 2);
}

/// The share of right ones.
template <class Model>
double right_answers(const Model& model, const Episodes& episodes) {
  return lesson::share_equal(answers_of(model, episodes), episodes.answers);
}

}  // namespace attend::chapter16
