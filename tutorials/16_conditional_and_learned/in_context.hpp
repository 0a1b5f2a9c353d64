#pragma once
#include <functional>

#include "nn/attention/in_context.hpp"

/// Linear regression within a context: ten examples of a function that no other context has, and a question. Von Oswald
/// et al. 2022 (arXiv:2212.07677).

namespace attend::chapter16 {

constexpr Size x_size = 5, examples_of_a_task = 10;

/// Tasks: y = w · x with w ~ N(0, 1) and x uniform in −range .. range, another w for each task. `bent`: y = |w · x|
/// less about its mean, which no linear function of x comes near.
struct Regressions {
  Tensor x, y;            // [B, 10, 5], [B, 10, 1]
  Tensor asked, answers;  // [B, 1, 5], [B, 1, 1]
};
struct RegressionKind {
  double range = 1;
  bool bent = false;
};
Regressions draw_regressions(Size tasks, const RegressionKind& kind, Rng& rng, DType dtype = DType::float32);

/// What gradient descent answers after one step from W = 0: asked · (rate / N) Σ x y. [B, 1, 1]
Tensor after_one_step(const Regressions& tasks, double rate);
/// The rate whose mean squared error is least on average over all tasks with x in −1 .. 1, and that error. With
/// S = xᵀ x / N the error of a task is |(1 − rate S) w|² / 3, and E tr S = d / 3,
/// E tr S² = (E|x|⁴ + (N − 1) d / 9) / N.
struct BestStep {
  double rate, error;
};
BestStep best_step_on_paper();
/// The best rate for these very tasks, and its error.
BestStep best_step(const Regressions& tasks);

/// The rate of the step that answers are nearest to.
double rate_of(const Tensor& answers, const Regressions& tasks);

/// The mean squared error of answers [B, 1, 1].
double squared_error(const Tensor& answers, const Tensor& expected);
/// What the w with the least squared error over the examples answers: (xᵀ x)⁻¹ xᵀ y. [B, 1, 1]
Tensor least_squares(const Regressions& tasks);

/// One layer, with or without a softmax over the examples, and what it answers: [B, 1, 1].
struct OneLayer {
  InContextAttention layer;
  bool with_softmax;

  OneLayer(bool softmax_over_examples, Rng& rng) : layer(x_size + 1, rng), with_softmax(softmax_over_examples) {}
  Var operator()(const Regressions& tasks) const;
  void parameters(const Visit& visit) { visit("layer", layer); }
};

/// Trains it with Adam from random weights on tasks drawn anew at every step.
using WatchLoss = std::function<void(Size step, double loss)>;
OneLayer learn_in_context(bool with_softmax, Size steps, std::uint64_t seed, const WatchLoss& watch);

}  // namespace attend::chapter16
