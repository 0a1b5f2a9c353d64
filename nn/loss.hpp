// Losses: one number for a batch. Predictions and targets must have the shapes that are stated, exactly: a prediction
// [N, 1] beside a target [N] would broadcast to [N, N] without a word.
#pragma once
#include "autograd/ops.hpp"

namespace attend {

struct CrossEntropyOptions {
  std::int64_t ignored_target = -1;  // targets with this class do not count
  double label_smoothing = 0;        // ε: the target is 1 − ε of the class and ε shared evenly among all
  Tensor class_weights;              // [C], or none
};

/// Cross-entropy of scores before the softmax:   −Σ w_y log softmax(logits)_y / Σ w_y
/// logits [..., C], targets int64 [...] in 0 .. C − 1 -> []. The sums go over the targets that are not ignored; when
/// all are, the loss is 0. With label smoothing (Szegedy et al. 2015, arXiv:1512.00567) the loss is 1 − ε of that plus
/// ε / C · Σ Σ_c w_c (−log softmax(logits)_c) / Σ w_y, as in PyTorch.
/// Throws std::invalid_argument for shapes that do not fit, a target that is no class, ε outside [0, 1], a class weight
/// that is negative or not finite.
Var cross_entropy(const Var& logits, const Tensor& targets, const CrossEntropyOptions& options = {});

/// The same from log-probabilities [..., C], without smoothing:   −Σ log_p_y / n. Throws as cross_entropy does.
Var negative_log_likelihood(const Var& log_probabilities, const Tensor& targets, std::int64_t ignored_target = -1);

/// Σ (prediction − target)² / n over equal shapes. Throws std::invalid_argument when they are not equal.
Var mean_squared_error(const Var& prediction, const Var& target);

/// −Σ (t log σ(x) + (1 − t) log(1 − σ(x))) / n over equal shapes, from the scores x before the sigmoid, without
/// overflow: softplus(x) − t x. Throws std::invalid_argument when the shapes are not equal.
Var binary_cross_entropy(const Var& logits, const Var& targets);

}  // namespace attend
