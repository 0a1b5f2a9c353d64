#include "tutorials/16_conditional_and_learned/recall.hpp"

#include <algorithm>

#include "nn/position/sinusoidal.hpp"

namespace attend::chapter16 {

using namespace lesson;

namespace {

constexpr Size width = 32;

void put_core(CoreTransformer& model, const AttentionCore& core) {
  for (CoreTransformer::Layer& layer : model.layers) layer.attention.core = core;
}

// The weights of both layers, [B, 1, T, T] each.
std::vector<Tensor> weights_of(const CoreTransformer& model, const Tensor& ids) {
  const Recording off(false);
  const Size T = ids.shape()[1];
  const Mask causal = causal_mask(T, T);
  std::vector<Tensor> weights;
  Var x = add_sinusoidal_positions(model.embedded(ids));
  for (const CoreTransformer::Layer& layer : model.layers) {
    weights.push_back(layer.attention(layer.attention_norm(x), causal).weights.value());
    x = layer(x, causal);
  }
  return weights;
}

}  // namespace

Needed needed_pairs(const CoreTransformer& model, const SequenceBatch& batch) {
  const std::vector<Tensor> weights = weights_of(model, batch.input);
  const Size B = batch.input.shape()[0];
  double first = 0, second = 0;
  for (Size b = 0; b < B; ++b) {
    for (Size pair = 0; pair < pairs; ++pair) {
      const Size key = 2 * pair, value = key + 1;
      Size question = 2 * pairs;
      while (batch.input.at({b, question}) != batch.input.at({b, key})) ++question;
      first += weights[0].at({b, 0, value, key}) > 0 ? 1 : 0;
      second += weights[1].at({b, 0, question, value}) > 0 ? 1 : 0;
    }
  }
  const double asked = static_cast<double>(B * pairs);
  return {first / asked, second / asked};
}

Recalled learn_recall(const AttentionCore& core, Size soft_steps, Size steps, std::uint64_t seed) {
  const SequenceTask task = recall_task(pairs, recall_symbols);
  Rng rng(seed);
  CoreTransformer model(task, [&](Rng&) { return core; }, rng, {width, 1, 2});
  const SequenceBatch some = task.draw(64, rng);
  Recalled found;
  found.at_first = needed_pairs(model, some);
  if (soft_steps > 0) {
    put_core(model, SoftmaxAttention());
    train_and_test(model, task, seed, {soft_steps, 32, 3e-3, 1});
    put_core(model, core);
  }
  found.right = train_and_test(model, task, seed + 1000, {steps - soft_steps, 32, 3e-3, 512}).accuracy;
  found.at_last = needed_pairs(model, some);
  return found;
}

}  // namespace attend::chapter16
