#include "tutorials/16_conditional_and_learned/in_context.hpp"

#include <cmath>

#include "nn/attention/core.hpp"
#include "nn/loss.hpp"
#include "nn/schedule.hpp"
#include "nn/train.hpp"
#include "tensor/kernels.hpp"

namespace attend::chapter16 {
namespace {

constexpr double d = x_size, N = examples_of_a_task;

const Tensor& from_zero(DType dtype) {
  static const Tensor single = Tensor::zeros({x_size, 1}), twice = Tensor::zeros({x_size, 1}, DType::float64);
  return dtype == DType::float64 ? twice : single;
}

}  // namespace

Regressions draw_regressions(Size tasks, const RegressionKind& kind, Rng& rng, DType dtype) {
  const Tensor w = rng.normal({tasks, x_size, 1}, 0, 1, dtype);
  const Tensor x = rng.uniform({tasks, examples_of_a_task, x_size}, -kind.range, kind.range, dtype);
  const Tensor asked = rng.uniform({tasks, 1, x_size}, -kind.range, kind.range, dtype);
  const auto answer = [&](const Tensor& of) {
    const Tensor y = kernel::matmul(of, w);
    // w · x is nearly normal with the variance d range² / 3, and the mean of |z| is √(2 / π).
    return kind.bent ? kernel::affine(kernel::abs(y), 1, -kind.range * std::sqrt(2 * d / (3 * M_PI))) : y;
  };
  return {x, answer(x), asked, answer(asked)};
}

Tensor after_one_step(const Regressions& tasks, double rate) {
  const Tensor sums = kernel::matmul(transpose(tasks.x), tasks.y);  // [B, 5, 1]
  return kernel::affine(kernel::matmul(tasks.asked, sums), rate / N, 0);
}

BestStep best_step_on_paper() {
  const double trace = d / 3;                                 // E tr S, where E x² = 1/3
  const double fourth = d / 5 + d * (d - 1) / 9;              // E |x|⁴, where E x⁴ = 1/5
  const double square = (fourth + (N - 1) * d / 9) / N;       // E tr S²
  return {trace / square, (d - trace * trace / square) / 3};  // least of (d − 2 rate tr S + rate² tr S²) / 3
}

double rate_of(const Tensor& answers, const Regressions& tasks) {
  const Tensor step = after_one_step(tasks, 1);
  return kernel::sum_of_products(step, answers, {}).item() / kernel::sum_of_products(step, step, {}).item();
}

BestStep best_step(const Regressions& tasks) {
  const double rate = rate_of(tasks.answers, tasks);
  return {rate, squared_error(after_one_step(tasks, rate), tasks.answers)};
}

double squared_error(const Tensor& answers, const Tensor& expected) {
  return mean_squared_error(Var(answers), Var(expected)).item();
}

Tensor least_squares(const Regressions& tasks) {
  const Tensor inverse_of = kernel::inverse(kernel::matmul(transpose(tasks.x), tasks.x));
  return kernel::matmul(tasks.asked, kernel::matmul(inverse_of, kernel::matmul(transpose(tasks.x), tasks.y)));
}

Var OneLayer::operator()(const Regressions& tasks) const {
  const Var tokens = regression_tokens(tasks.x, tasks.y, tasks.asked, from_zero(tasks.x.dtype()));
  if (!with_softmax) return regression_answers(layer(tokens, examples_of_a_task), examples_of_a_task, 1);
  const Var shown = slice(tokens, 1, 0, examples_of_a_task);
  const Var read = scaled_dot_attention(layer.queries(tokens), layer.keys(shown), layer.values(shown)).context;
  return regression_answers(tokens + layer.projection(read), examples_of_a_task, 1);
}

OneLayer learn_in_context(bool with_softmax, Size steps, std::uint64_t seed, const WatchLoss& watch) {
  constexpr double rate = 3e-3;
  Rng rng(seed);
  Rng weights = rng.split(), draws = rng.split();
  OneLayer model(with_softmax, weights);
  Adam adam(rate);
  const auto loss_of = [](const OneLayer& now, Rng& stream) {
    const Regressions tasks = draw_regressions(512, {}, stream);
    return mean_squared_error(now(tasks), Var(tasks.answers));
  };
  for (Size step = 1; step <= steps; ++step) {
    adam.learning_rate = cosine_rate(step, rate, steps);
    watch(step, train_step(model, adam, loss_of, draws, {step, 1.0}).loss);
  }
  return model;
}

}  // namespace attend::chapter16
