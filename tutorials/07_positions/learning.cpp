#include "tutorials/07_positions/learning.hpp"

#include <numeric>

#include "nn/loss.hpp"
#include "nn/schedule.hpp"
#include "nn/train.hpp"
#include "tensor/kernels.hpp"
#include "tutorials/07_positions/repeating.hpp"

namespace attend::chapter07 {
namespace {

constexpr Size batch = 16, warm_steps = 20;
constexpr double rate = 5e-3, clip_norm = 1;
constexpr std::uint64_t unseen = 1'000'003;  // the stream of the texts to be asked about

}  // namespace

std::string name_of(const Trial& trial) {
  return name_of(trial.scheme) + (trial.start == Start::anywhere ? ", shifted" : "");
}

const std::vector<Trial>& all_trials() {
  static const std::vector<Trial> all = {{Scheme::none},    {Scheme::sinusoidal}, {Scheme::sinusoidal, Start::anywhere},
                                         {Scheme::learned}, {Scheme::rotary},     {Scheme::relative},
                                         {Scheme::buckets}, {Scheme::alibi}};
  return all;
}

Size steps_of(const Trial& trial) {
  constexpr Size usual = 400;
  return trial.scheme == Scheme::learned || trial.scheme == Scheme::alibi ? 2 * usual : usual;
}

Reader trained(const Trial& trial, std::uint64_t seed, Size steps, const Watch& watch) {
  Rng rng(seed);
  const ReaderSize size{symbols};
  Reader reader(size, trial.scheme, trial.fault, rng);
  Adam adam(rate);
  const auto loss_of = [&](const Reader& model, Rng& draws) {
    const Tensor texts = random_texts(batch, trained_length, draws);
    const Size first = trial.start == Start::anywhere ? draws.below(size.longest - trained_length + 1) : 0;
    return cross_entropy(model(texts, first), answers_to(texts));
  };
  for (Size step = 1; step <= steps; ++step) {
    adam.learning_rate = warm_up(step, warm_steps) * cosine_rate(step, rate, steps);
    const double loss = train_step(reader, adam, loss_of, rng, {step, clip_norm}).loss;
    if (watch) watch(step, loss);
  }
  return reader;
}

std::vector<double> right_by_position(const Reader& reader, Size length, Size count) {
  const Recording off(false);
  Rng rng(unseen);
  const Tensor texts = random_texts(count, length, rng);
  const Tensor right = kernel::equal(argmax(reader(texts), -1), answers_to(texts));  // [count, length]
  const Tensor sums = kernel::sum(kernel::cast(right, DType::float64), {0}, false);
  return kernel::affine(sums, 1 / static_cast<double>(count), 0).to_vector();
}

double mean_of(const std::vector<double>& by_position, Size first, Size last) {
  return std::accumulate(by_position.begin() + first, by_position.begin() + last, 0.0) /
         static_cast<double>(last - first);
}

double accuracy(const std::vector<double>& by_position) {
  return mean_of(by_position, back, static_cast<Size>(by_position.size()));
}

}  // namespace attend::chapter07
