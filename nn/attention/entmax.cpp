#include "nn/attention/entmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tensor/kernels.hpp"

namespace attend {
namespace {

Var scaled_scores(const Var& q, const Var& k, const Mask& mask) {
  const double scale = 1 / std::sqrt(static_cast<double>(q.shape()[3]));
  return matmul(scale * q, transpose(hide_invisible(k, mask)));  // [B, H, T, T]
}

}  // namespace

EntmaxAttention::EntmaxAttention(double any_alpha) : alpha(any_alpha) {
  if (alpha >= 1 && std::isfinite(alpha)) return;
  throw std::invalid_argument("entmax attention: alpha " + std::to_string(alpha) + " must be at least 1 and finite");
}

Attended EntmaxAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("entmax attention", q, k, v);
  const Var scores = scaled_scores(q, k, mask);
  const Var weights =
      mask.allows_all() ? entmax(scores, alpha) : masked_entmax(scores, mask.for_scores(scores.shape()), alpha);
  return {weighted_sum(weights, v, mask), weights};
}

TopKAttention::TopKAttention(Size keys) : count(keys) {
  if (count >= 1) return;
  throw std::invalid_argument("top-k attention: the largest " + std::to_string(count) + " scores; take 1 at least");
}

Attended TopKAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("top-k attention", q, k, v);
  const Var scores = scaled_scores(q, k, mask);
  const Var weights =
      masked_softmax(scores, among_largest(scores.value(), count, mask.for_scores(scores.shape())));  // mask
  return {weighted_sum(weights, v, mask), weights};
}

Tensor among_largest(const Tensor& scores, Size count, const Tensor& allowed) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor seen =
      allowed.defined() ? kernel::where(allowed, scores, Tensor::full({}, -infinity, scores.dtype())) : scores;
  const Size last = scores.rank() - 1;
  const Tensor order = kernel::argsort(seen, last, true);
  const Tensor places = slice(order, last, 0, std::min(count, scores.shape()[last]));  // [..., count]
  const Tensor marks = kernel::scatter_add(Tensor::zeros(scores.shape(), scores.dtype()), last, places,
                                           Tensor::ones(places.shape(), scores.dtype()));
  const Tensor chosen = kernel::greater(marks, Tensor::zeros({}, scores.dtype()));
  return allowed.defined() ? kernel::logical_and(chosen, allowed) : chosen;
}

}  // namespace attend
