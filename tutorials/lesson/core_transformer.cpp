#include "tutorials/lesson/core_transformer.hpp"

#include <algorithm>
#include <cmath>

#include "autograd/grad.hpp"
#include "nn/loss.hpp"
#include "nn/optimizer.hpp"
#include "nn/position/sinusoidal.hpp"
#include "nn/schedule.hpp"
#include "nn/train.hpp"
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

Var CoreTransformer::operator()(const Tensor& ids) const {
  const Size T = ids.shape().back();
  const Mask mask = causal ? causal_mask(T, T) : Mask();
  Var x = embedded(ids);
  for (const Layer& layer : layers) x = layer(x, mask);
  return output(norm(x));  // [B, T, symbols]
}

Var CoreTransformer::embedded(const Tensor& ids) const {
  // The embedding of a symbol has length 1, its position √(size / 2): scaled up, neither drowns the other.
  return add_sinusoidal_positions(std::sqrt(static_cast<double>(embedding.table.shape()[1])) * embedding(ids));
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
  Adam adam(plan.learning_rate);
  const Stopwatch watch;
  for (Size step = 1; step <= plan.steps; ++step) {
    adam.learning_rate =
        cosine_rate(step, plan.learning_rate, plan.steps) * warm_up(step, std::max<Size>(1, plan.steps / 20));
    const SequenceBatch batch = task.draw(plan.batch, rng);
    const auto loss_of = [&](const CoreTransformer& m, Rng&) { return cross_entropy(m(batch.input), batch.answer); };
    train_step(model, adam, loss_of, rng, {step, 1.0});
  }
  return {accuracy(model, task.draw(plan.test_sequences, test_draws)), plan.steps, watch.seconds()};
}

double accuracy(const CoreTransformer& model, const SequenceBatch& batch) {
  const Recording off(false);
  const Tensor found = argmax(model(batch.input), -1);
  const auto counted = [](const Tensor& places) {
    return kernel::sum(kernel::cast(places, DType::float64), {0, 1}, false).item();
  };
  const Tensor asked = kernel::greater_equal(batch.answer, Tensor::from_ints({0}, {}));
  return counted(kernel::logical_and(asked, kernel::equal(found, batch.answer))) / counted(asked);
}

}  // namespace attend::lesson
