#include "tutorials/10_attention_and_convolution/learning.hpp"

#include <algorithm>
#include <utility>

#include "nn/loss.hpp"
#include "nn/schedule.hpp"
#include "nn/train.hpp"
#include "tensor/kernels.hpp"
#include "tutorials/lesson/stopwatch.hpp"

namespace attend::chapter10 {

Recipe recipe_of(Kind kind, Size images) {
  const bool many = images > 2000;
  switch (kind) {
    case Kind::logistic:
      return {many ? 20 : 100, 64, many ? 0.01 : 0.03, 0};
    case Kind::vision:
      return {many ? 5 : 30, 64, 5e-3, 0.5};
    default:
      return {many ? 5 : 15, 64, 5e-3, 0.01};
  }
}

Learned learn(Model model, const lesson::Images& training, const Recipe& recipe, Rng& rng, const Watch& watch) {
  AdamW adam(recipe.rate, {0.9, 0.999, 1e-8, recipe.weight_decay});
  const Size per_epoch = (training.size() + recipe.batch - 1) / recipe.batch, steps = recipe.epochs * per_epoch;
  const lesson::ProcessorStopwatch time;
  double first = 0, last = 0;
  Size step = 0;
  for (Size epoch = 0; epoch < recipe.epochs; ++epoch) {
    double total = 0;
    for (const auto& ids : lesson::shuffled_batches(training.size(), recipe.batch, rng)) {
      const lesson::Images batch = training.select(ids);
      const auto loss_of = [&](const Model& now, Rng&) {
        return cross_entropy(now(Var(batch.pixels), Mode::training), batch.labels);
      };
      ++step;
      adam.learning_rate = warm_up(step, std::max<Size>(1, steps / 20)) * cosine_rate(step, recipe.rate, steps);
      const double loss = train_step(model, adam, loss_of, rng, {step, 1.0}).loss;
      total += loss;
      if (watch) watch(step, steps, loss);
    }
    last = total / static_cast<double>(per_epoch);
    if (epoch == 0) first = last;
  }
  return {std::move(model), first, last, time.seconds()};
}

Tensor probabilities(const Model& model, const Tensor& pixels) {
  const Recording off(false);
  constexpr Size at_once = 200;
  std::vector<Tensor> parts;
  for (Size begin = 0; begin < pixels.shape()[0]; begin += at_once) {
    const Tensor some = slice(pixels, 0, begin, std::min(at_once, pixels.shape()[0] - begin));
    parts.push_back(softmax(model(Var(some), Mode::evaluation)).value());
  }
  return kernel::concat(parts, 0);
}

double accuracy(const Model& model, const lesson::Images& images) {
  const Tensor chosen = kernel::argmax(probabilities(model, images.pixels), -1, false);
  const Tensor right = kernel::cast(kernel::equal(chosen, images.labels), DType::float64);
  return kernel::sum(right, {0}, false).item() / static_cast<double>(images.size());
}

}  // namespace attend::chapter10
