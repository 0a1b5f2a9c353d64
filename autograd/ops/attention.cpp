#include "autograd/autocast.hpp"
#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

// The keys that each query may attend to, [..., Tq or 1, Tk or 1]: the mask, and causality as a mask.
Tensor allowed(const Blockwise& how, Size Tq, Size Tk) {
  if (!how.causal) return how.mask;
  const Tensor before = kernel::causal(Tq, Tk);
  return how.mask.defined() ? kernel::logical_and(before, how.mask) : before;
}

// The composed form of the derivative, with P = softmax(scale · Q Kᵀ), which can be differentiated again:
//   dV = Pᵀ g     dS = P ∘ (g Vᵀ − Σ P ∘ g Vᵀ)     dQ = scale · dS K     dK = scale · dSᵀ Q
// Under a mask 0 · NaN must not reach those who may not see the NaN; those who may see it in the result.
Vars composed_gradients(V g, V q_, V k_, V v_, const Blockwise& how) {
  const Tensor may = allowed(how, q_.shape()[q_.rank() - 2], k_.shape()[k_.rank() - 2]);
  const Tensor zero = Tensor::zeros({}, q_.dtype());
  const auto finite = [&](V x) { return may.defined() ? where(kernel::is_finite(x.value()), x, zero) : x; };  // mask
  const Var q = finite(q_), k = finite(k_), v = finite(v_);
  const Var scores = how.scale * matmul(q, transpose(k));
  const Var P = may.defined() ? masked_softmax(scores, may) : softmax(scores);
  const Var dP = matmul(g, transpose(v));
  const Var dS = how.scale * (P * (dP - sum(P * dP, {-1}, true)));
  return {matmul(dS, k), matmul(transpose(dS), q), matmul(transpose(P), g)};
}

Vars gradients(V g, V q, V k, V v, V y, const Tensor& log_sums, const Blockwise& how) {
  if (recording()) return composed_gradients(g, q, k, v, how);
  const auto [dq, dk, dv] =
      kernel::blockwise_attention_backward(g.value(), q.value(), k.value(), v.value(), y.value(), log_sums, how);
  return {dq, dk, dv};
}

}  // namespace

/// The derivative is that of softmax(scale · q kᵀ) v, tile by tile too, and in the composed form where it shall be
/// differentiated again.
Var blockwise_attention(V q, V k, V v, const Blockwise& how) {
  if (autocast::takes_down(q, k) || autocast::takes_down(k, v)) {
    return blockwise_attention(autocast::down(q), autocast::down(k), autocast::down(v), how);
  }
  const auto [value, log_sums] = kernel::blockwise_attention(q.value(), k.value(), v.value(), how);
  return record_joint("blockwise_attention", value, {q, k, v}, [log_sums = log_sums, how](V g, Inputs x, Out y) {
    return gradients(g, x[0], x[1], x[2], y, log_sums, how);
  });
}

}  // namespace attend
