#pragma once

#include <vector>

#include "nn/attention/core.hpp"
#include "nn/embedding.hpp"
#include "nn/layer_norm.hpp"
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
  Var operator()(const Tensor& ids) const;
  /// What goes into the first layer: [B, T, size].
  Var embedded(const Tensor& ids) const;
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

/// Trains on batches drawn one after the other, and tests on others. All randomness is that of the seed.
Trained train_and_test(CoreTransformer& model, const SequenceTask& task, std::uint64_t seed,
                       const TrainingPlan& plan = {});

/// The share of the asked positions of the batch that the model gets right.
double accuracy(const CoreTransformer& model, const SequenceBatch& batch);

}  // namespace attend::lesson
