#include "nn/attention/shared_query_key.hpp"

#include <cmath>

#include "tensor/kernels.hpp"

namespace attend {
namespace {

// What the mask allows but for the position itself, and that where it allows nothing else.
Mask others_or_self(const Mask& mask, const Shape& scores) {
  const Tensor place = Tensor::arange(scores.back()), allowed = mask.for_scores(scores);
  const Tensor self = kernel::equal(unsqueeze(place, 1), unsqueeze(place, 0));  // [T, T]
  const Tensor others = kernel::logical_and(allowed, kernel::logical_not(self));
  const Tensor alone = kernel::logical_not(kernel::any(others, -1, true));
  return Mask(kernel::logical_or(others, kernel::logical_and(alone, kernel::logical_and(allowed, self))));
}

}  // namespace

Attended SharedQueryKeyAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("shared query-key attention", q, k, v);
  // The queries at padding are its keys, and hidden like keys.
  const Var query = hide_invisible(q, mask);
  // The paper's keys have the length 1, and its scores the factor 1 / √d of every Transformer: no score is beyond
  // ‖q‖ / √d, which is about 1 for queries of unit variance. To attend sharply, queries must grow.
  const double scale = 1 / std::sqrt(static_cast<double>(q.shape()[3]));
  const Var scores = matmul(scale * query, transpose(unit_length(query)));  // [B, H, T, T]
  const Mask seen = others_or_self(mask, scores.shape());
  const Var weights = attention_weights(scores, seen);
  return {weighted_sum(weights, v, seen), weights};
}

Size shared_query_key_multiplications(Size T, Size d) {
  return attention_multiplications(T, d, T * T) + 2 * T * d;  // and ‖q‖², and the division by ‖q‖
}

}  // namespace attend
