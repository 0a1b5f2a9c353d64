#include "tutorials/08_transformer/norms.hpp"

#include "nn/schedule.hpp"

namespace attend::chapter08 {

using namespace translation;

namespace {

constexpr Size batch = 32;
constexpr double rate = 3e-3;

TransformerSize size_with(const Task& task, NormPlace norm, Size layers) {
  return {task.source.size(), task.target.size(), layers, layers, {32, 4, 64, 0, norm}};
}

}  // namespace

double last_layer_gradient(const Task& task, NormPlace norm, Size layers, std::uint64_t seed) {
  constexpr Size draws = 8;
  Rng rng(seed);
  double mean = 0;
  for (Size i = 0; i < draws; ++i) {
    const Transformer model(size_with(task, norm, layers), rng);
    const Var loss = loss_on(as_pairs(task, task.draw(batch, rng)), model, rng);
    mean += norm_of(grad(loss, {model.decoder.back().feed_forward.narrow.weight})) / draws;
  }
  return mean;
}

double loss_after(const Task& task, NormPlace norm, Start start, Size layers, Size steps, std::uint64_t seed) {
  const TransformerSize size = size_with(task, norm, layers);
  Learner<Transformer> learner(task, [&](Rng& rng) { return Transformer(size, rng); }, seed, rate, {batch, 1.0, 0});
  double last = 0;
  for (Size i = 1; i <= steps; ++i) {
    learner.set_rate(start == Start::warm ? rate * warm_up(i, steps / 2) : rate);
    const double loss = learner.step();
    if (i > steps - 10) last += loss / 10;
  }
  return last;
}

}  // namespace attend::chapter08
