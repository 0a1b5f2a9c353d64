#include "nn/loss.hpp"

#include <cmath>
#include <stdexcept>

#include "autograd/autocast.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

void check_targets(const char* op, const Var& scores, const Tensor& targets, std::int64_t ignored) {
  const bool classes = scores.rank() >= 1 && scores.shape().back() >= 1;
  const bool fits = classes && targets.shape() == reduced_shape(scores.shape(), {scores.rank() - 1}, false);
  if (!fits || targets.dtype() != DType::int64) {
    throw std::invalid_argument(std::string(op) + ": scores " + text(scores.shape()) + " and targets " +
                                text(targets.dtype()) + " " + text(targets.shape()) +
                                "; they are [..., C], with C > 0, and int64 [...]");
  }
  for (std::int64_t target : targets.to_ints()) {
    if (target == ignored || (target >= 0 && target < scores.shape().back())) continue;
    throw std::invalid_argument(std::string(op) + ": target " + std::to_string(target) + " in " +
                                text(targets.shape()) + " is no class of scores " + text(scores.shape()));
  }
}

void check_equal_shapes(const char* op, const Var& prediction, const Var& target) {
  check_same_dtype(op, prediction.value(), target.value());
  if (prediction.shape() == target.shape()) return;
  throw std::invalid_argument(std::string(op) + ": prediction " + text(prediction.shape()) + " and target " +
                              text(target.shape()) + " have different shapes");
}

void check_class_weights(const Tensor& weights, const Var& logits) {
  if (weights.shape() != Shape{logits.shape().back()}) {
    throw std::invalid_argument("cross_entropy: class weights " + text(weights.shape()) + " for logits " +
                                text(logits.shape()));
  }
  const std::vector<double> values = weights.to_vector();
  for (std::size_t c = 0; c < values.size(); ++c) {
    if (values[c] >= 0 && std::isfinite(values[c])) continue;
    throw std::invalid_argument("cross_entropy: class weight " + std::to_string(c) + " is " +
                                std::to_string(values[c]) + ", logits " + text(logits.shape()) +
                                "; weights are finite and not negative");
  }
}

// Which targets count, and targets in which the others are class 0, so that they can be looked up. Scores of targets
// that do not count are replaced by 0: whatever they hold, NaN included, reaches neither the loss nor a derivative.
struct Counted {
  Tensor mask, classes;
  Counted(const Tensor& targets, std::int64_t ignored) {
    mask = kernel::not_equal(targets, Tensor::from_ints({ignored}, {}));
    classes = kernel::where(mask, targets, Tensor::from_ints({0}, {}));
  }
  Var hide_others(const Var& scores) const {
    return kernel::all(mask) ? scores : where(unsqueeze(mask, -1), scores, Tensor::zeros({}, scores.dtype()));
  }
};

// Σ weight · loss / Σ weight, with 0 for no weight at all. All are [n...].
Var weighted_mean(const Var& losses, const Tensor& weights) {
  const double total = kernel::sum(weights, all_axes(weights.rank()), false).item();
  const Var counted = where(kernel::greater(weights, Tensor::zeros({}, weights.dtype())), losses,
                            Var(Tensor::zeros({}, losses.dtype())));
  return sum(counted * Var(weights)) / (total > 0 ? total : 1);
}

// log_p [..., C] at the class of each target [...].
Var at_class(const Var& log_p, const Tensor& classes) {
  return squeeze(gather(log_p, -1, unsqueeze(classes, -1)), {-1});
}

}  // namespace

Var cross_entropy(const Var& logits_, const Tensor& targets, const CrossEntropyOptions& options) {
  const Var logits = autocast::up(logits_);
  check_targets("cross_entropy", logits, targets, options.ignored_target);
  const double smoothing = options.label_smoothing;
  if (!(smoothing >= 0 && smoothing <= 1)) {
    throw std::invalid_argument("cross_entropy: label smoothing " + std::to_string(smoothing) +
                                " is not within [0, 1]");
  }
  const Size classes = logits.shape().back();
  Tensor class_weights = options.class_weights;
  if (class_weights.defined()) check_class_weights(class_weights, logits);
  const Counted counted(targets, options.ignored_target);
  const Var log_p = log_softmax(counted.hide_others(logits));  // [..., C]
  const Var surprise = -at_class(log_p, counted.classes);      // [...]
  Tensor weights = kernel::cast(counted.mask, logits.dtype());
  if (class_weights.defined()) {
    class_weights = kernel::cast(class_weights, logits.dtype());
    weights = kernel::mul(weights, kernel::take(class_weights, 0, counted.classes));
  }
  const Var loss = weighted_mean(surprise, weights);
  if (smoothing == 0) return loss;

  // The part that is shared evenly: every class counts, with its own weight, over the same sum of weights.
  const Var all_classes = class_weights.defined() ? log_p * Var(class_weights) : log_p;
  const Tensor mask = kernel::cast(counted.mask, logits.dtype());
  const double total = kernel::sum(weights, all_axes(weights.rank()), false).item();
  const Var even = sum(-sum(all_classes, {-1}) * Var(mask)) / (total > 0 ? total : 1);
  return (1 - smoothing) * loss + smoothing / static_cast<double>(classes) * even;
}

Var negative_log_likelihood(const Var& log_p, const Tensor& targets, std::int64_t ignored_target) {
  const Var log_probabilities = autocast::up(log_p);
  check_targets("negative_log_likelihood", log_probabilities, targets, ignored_target);
  const Counted counted(targets, ignored_target);
  return weighted_mean(-at_class(log_probabilities, counted.classes),
                       kernel::cast(counted.mask, log_probabilities.dtype()));
}

Var mean_squared_error(const Var& prediction_, const Var& target_) {
  const Var prediction = autocast::up(prediction_), target = autocast::up(target_);
  check_equal_shapes("mean_squared_error", prediction, target);
  const Var difference = prediction - target;
  return mean(difference * difference);
}

Var binary_cross_entropy(const Var& logits_, const Var& targets_) {
  const Var logits = autocast::up(logits_), targets = autocast::up(targets_);
  check_equal_shapes("binary_cross_entropy", logits, targets);
  return mean(softplus(logits) - targets * logits);
}

}  // namespace attend
