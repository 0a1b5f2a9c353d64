#pragma once

#include <algorithm>
#include <vector>

#include "nn/attention/core.hpp"
#include "nn/embedding.hpp"
#include "nn/layer_norm.hpp"
#include "nn/optimizer.hpp"
#include "nn/schedule.hpp"
#include "nn/train.hpp"
#include "nn/transformer.hpp"
#include "tutorials/lesson/sequence_tasks.hpp"

/// A small transformer with any attention in it: what the variants of attention are compared in.

namespace attend::lesson {

struct CoreTransformerOptions {
  Size size = 64, heads = 4, layers = 2;
};

/// The core of one layer; called once for each.
using MakeCore = std::function<AttentionCore(Rng& rng)>;

/// Embedding and sinusoidal positions; layers of x + attention(norm(x)) and x + feed_forward(norm(x)); and from the
/// last the scores of every symbol at every position: ids int64 [B, T] -> [B, T, symbols].
struct CoreTransformer {
  struct Layer {
    CoreAttention attention;
    FeedForward feed_forward;
    LayerNorm attention_norm, feed_forward_norm;

    Var operator()(const Var& x, const Mask& mask) const;
    void parameters(const Visit& visit);
  };
  Embedding embedding;
  std::vector<Layer> layers;
  LayerNorm norm;
  Linear output;
  bool causal;

  CoreTransformer(const SequenceTask& task, const MakeCore& make, Rng& rng, const CoreTransformerOptions& options = {});
  /// The mask is beside the causal one, where the task has that.
  Var operator()(const Tensor& ids, const Mask& mask = {}) const;
  /// The symbols as the first layer gets them, before their positions: [B, T, size].
  Var embedded(const Tensor& ids) const;
  /// From what the first layer gets, and from what the last gives, to the scores.
  Var through_layers(Var x, const Mask& mask) const;
  Var scores(const Var& x) const { return output(norm(x)); }
  void parameters(const Visit& visit);
};

/// How a training went.
struct Trained {
  double accuracy;  // share of the asked positions that are right, on sequences drawn after the training
  Size steps;
  double seconds;
};

struct TrainingPlan {
  Size steps = 600, batch = 64;
  double learning_rate = 3e-3;  // falls to 0 along a cosine, after 5 % of warm-up
  Size test_sequences = 512;
};

/// Trains any model as the plan says: `loss_of(model, rng)` is the loss of a batch that it draws.
template <class Model, class LossOf>
void train(Model& model, const TrainingPlan& plan, Rng& rng, const LossOf& loss_of) {
  Adam adam(plan.learning_rate);
  for (Size step = 1; step <= plan.steps; ++step) {
    adam.learning_rate =
        cosine_rate(step, plan.learning_rate, plan.steps) * warm_up(step, std::max<Size>(1, plan.steps / 20));
    train_step(model, adam, loss_of, rng, {step, 1.0});
  }
}

/// Trains on batches drawn one after the other, and tests on others. All randomness is that of the seed.
Trained train_and_test(CoreTransformer& model, const SequenceTask& task, std::uint64_t seed,
                       const TrainingPlan& plan = {});

/// The share of the asked positions of the batch that the model gets right.
double accuracy(const CoreTransformer& model, const SequenceBatch& batch);
/// The same of any scores [B, T, symbols] for answers int64 [B, T], those of −1 not asked.
double accuracy(const Tensor& scores, const Tensor& answer);

}  // namespace attend::lesson
