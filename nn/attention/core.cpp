#include "nn/attention/core.hpp"

#include <stdexcept>

namespace attend {

Attended SoftmaxAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("softmax attention", q, k, v);
  return scaled_dot_attention(q, k, v, {mask});
}

Attended CoreAttention::operator()(const Var& x, const Mask& mask) const {
  const Var there = hide_invisible(x, mask);
  return projections.finish(
      core(projections.query_heads(there), projections.key_heads(there), projections.value_heads(there), mask));
}

Var attention_map(const AttentionCore& core, const Var& q, const Var& k, const Mask& mask) {
  const auto [B, H, T, d] = dims<4>(q, "attention_map");
  const Tensor identity = one_hot(Tensor::arange(T), T, q.dtype());  // [T, T]
  return core(q, k, Var(broadcast_to(identity, {B, H, T, T})), mask).context;
}

void check_heads(const char* op, const Var& q, const Var& k, const Var& v) {
  const bool fits = q.rank() == 4 && q.shape() == k.shape() && v.rank() == 4 && v.shape()[0] == k.shape()[0] &&
                    v.shape()[1] == k.shape()[1] && v.shape()[2] == k.shape()[2];
  if (fits) return;
  throw std::invalid_argument(std::string(op) + ": query " + text(q.shape()) + ", key " + text(k.shape()) + ", value " +
                              text(v.shape()) + "; they are [B, H, T, d], [B, H, T, d] and [B, H, T, dv]");
}

}  // namespace attend
