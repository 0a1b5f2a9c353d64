#include "nn/attention/linear_attention.hpp"

#include <stdexcept>

namespace attend {

Var elu_features(const Var& x) {
  const Tensor above = x > 0.0;  // mask
  // Where x is above 0, exp is not taken, but must not overflow: its derivative is multiplied with 0.
  return where(above, x + 1.0, exp(where(above, Tensor::zeros({}, x.dtype()), x)));
}

LinearAttention::LinearAttention(Size positions_per_chunk) : chunk(positions_per_chunk) {
  if (chunk >= 1) return;
  throw std::invalid_argument("linear attention: chunks of " + std::to_string(chunk) + " positions; at least 1");
}

Attended LinearAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("linear attention", q, k, v);
  const KeyMask seen = key_mask("linear attention", mask, q.shape()[2], k.shape()[2]);
  const Var fq = elu_features(q);
  const Var fk = hide_invisible(elu_features(hide_invisible(k, mask)), mask);  // φ(0) = 1 would be seen
  const Var there = hide_invisible(v, mask);
  return {seen.causal ? sums_by_chunks(fq, fk, there, chunk) : sums_of_all(fq, fk, there), Var()};
}

Attended LinearAttention::step(const Var& q, const Var& k, const Var& v, RunningSums& state) const {
  check_heads("linear attention", q, k, v);
  return {sums_step("linear attention", elu_features(q), elu_features(k), v, state), Var()};
}

}  // namespace attend
