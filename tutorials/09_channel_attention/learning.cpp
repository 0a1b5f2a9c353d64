#include "tutorials/09_channel_attention/learning.hpp"

#include "nn/loss.hpp"
#include "nn/schedule.hpp"
#include "nn/train.hpp"
#include "tutorials/lesson/difference.hpp"

namespace attend::chapter09 {

Network train(const Task& task, const GateKind& kind, const Course& course, std::uint64_t seed,
              const std::function<void(Size step, double loss, const Network& network)>& after_step) {
  Rng rng(seed);
  Rng weights = rng.split(), batches = rng.split();
  Network network({task.channels, course.channels, course.blocks}, kind, weights);
  Adam adam(course.rate);
  const auto loss_of = [&](const Network& model, Rng& stream) {
    const Examples batch = task.draw(course.batch, stream);
    return cross_entropy(model(Var(batch.pixels), Mode::training), batch.labels);
  };
  for (Size step = 1; step <= course.steps; ++step) {
    adam.learning_rate = cosine_rate(step, course.rate, course.steps);
    const double loss = train_step(network, adam, loss_of, batches, {step, 1.0}).loss;
    after_step(step, loss, network);
  }
  return network;
}

Tensor answers(const Network& network, const Tensor& pixels) {
  return argmax(network(Var(pixels), Mode::evaluation).value(), -1);
}

double accuracy(const Network& network, const Examples& examples) {
  return lesson::share_equal(answers(network, examples.pixels), examples.labels);
}

}  // namespace attend::chapter09
