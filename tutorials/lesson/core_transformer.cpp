#include "tutorials/lesson/core_transformer.hpp"

#include <cmath>

#include "autograd/grad.hpp"
#include "nn/loss.hpp"
#include "nn/position/sinusoidal.hpp"
#include "tensor/kernels.hpp"
#include "tutorials/lesson/stopwatch.hpp"

namespace attend::lesson {

Var CoreTransformer::Layer::operator()(const Var& x, const Mask& mask) const {
  const Var attended = x + attention(attention_norm(x), mask).context;
  return attended + feed_forward(feed_forward_norm(attended));
}

void CoreTransformer::Layer::parameters(const Visit& visit) {
  visit("attention", attention);
  visit("feed_forward", feed_forward);
  visit("attention_norm", attention_norm);
  visit("feed_forward_norm", feed_forward_norm);
}

CoreTransformer::CoreTransformer(const SequenceTask& task, const MakeCore& make, Rng& rng,
                                 const CoreTransformerOptions& options)
    : embedding(task.symbols, options.size, rng),
      norm(options.size),
      output(options.size, task.symbols, rng),
      causal(task.causal) {
  const Size size = options.size;
  for (Size i = 0; i < options.layers; ++i) {
    layers.push_back({CoreAttention(size, options.heads, make(rng), rng), FeedForward(size, 4 * size, rng),
                      LayerNorm(size), LayerNorm(size)});
  }
}

Var CoreTransformer::embedded(const Tensor& ids) const {
  // The embedding of a symbol has length 1, its position √(size / 2): scaled up, neither drowns the other.
  return std::sqrt(static_cast<double>(embedding.table.shape()[1])) * embedding(ids);
}

Var CoreTransformer::through_layers(Var x, const Mask& mask) const {
  for (const Layer& layer : layers) x = layer(x, mask);
  return scores(x);
}

Var CoreTransformer::operator()(const Tensor& ids, const Mask& mask) const {
  const Size T = ids.shape().back();
  return through_layers(add_sinusoidal_positions(embedded(ids)), causal ? mask & causal_mask(T, T) : mask);
}

void CoreTransformer::parameters(const Visit& visit) {
  visit("embedding", embedding);
  visit("layers", layers);
  visit("norm", norm);
  visit("output", output);
}

Trained train_and_test(CoreTransformer& model, const SequenceTask& task, std::uint64_t seed, const TrainingPlan& plan) {
  Rng rng(seed);
  Rng test_draws = rng.split();
  const Stopwatch watch;
  train(model, plan, rng, [&](const CoreTransformer& m, Rng& draws) {
    const SequenceBatch batch = task.draw(plan.batch, draws);
    return cross_entropy(m(batch.input), batch.answer);
  });
  return {accuracy(model, task.draw(plan.test_sequences, test_draws)), plan.steps, watch.seconds()};
}

double accuracy(const CoreTransformer& model, const SequenceBatch& batch) {
  const Recording off(false);
  return accuracy(model(batch.input).value(), batch.answer);
}

double accuracy(const Tensor& scores, const Tensor& answer) {
  const Tensor found = argmax(scores, -1);
  const auto counted = [](const Tensor& places) {
    return kernel::sum(kernel::cast(places, DType::float64), {0, 1}, false).item();
  };
  const Tensor asked = kernel::greater_equal(answer, Tensor::from_ints({0}, {}));
  return counted(kernel::logical_and(asked, kernel::equal(found, answer))) / counted(asked);
}

}  // namespace attend::lesson
