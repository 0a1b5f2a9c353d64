#include "nn/attention/attended.hpp"

#include <limits>
#include <stdexcept>

#include "tensor/kernels.hpp"

namespace attend {
namespace {

// Of which numbers the squares, and some thousand of them in a sum, are in the range of their dtype; and of 0.
Tensor can_be_squared(const Tensor& x) {
  const bool wide = x.dtype() == DType::float64, narrow = x.dtype() == DType::float16;
  const double most = wide ? 1e150 : narrow ? 4 : 1e16;
  const Var size(x);
  return kernel::logical_or(kernel::logical_and(size >= 1 / most, size <= most), size <= 0.0);
}

}  // namespace

Var attention_weights(const Var& scores, const Mask& mask) {
  return mask.allows_all() ? softmax(scores) : masked_softmax(scores, mask.for_scores(scores.shape()));
}

Var weighted_sum(const Var& weights, const Var& value, const Mask& mask) {
  if (mask.allows_all() || kernel::all_finite(value.value())) return matmul(weights, value);
  // In a product of matrices the weight 0 does not hide a NaN: 0 · NaN is NaN. So the finite values are summed, and the
  // queries that may attend to one that is not are found from the mask.
  const DType dtype = value.dtype();
  const Tensor finite = kernel::is_finite(value.value());
  const Tensor allowed = broadcast_to(mask.for_scores(weights.shape()), weights.shape());
  const Tensor not_finite = kernel::cast(kernel::logical_not(finite), dtype);
  const Tensor zero = Tensor::zeros({}, dtype);
  const Tensor reached = kernel::greater(kernel::matmul(kernel::cast(allowed, dtype), not_finite), zero);
  const Tensor nan = Tensor::full({}, std::numeric_limits<double>::quiet_NaN(), dtype);
  return where(reached, nan, matmul(weights, where(finite, value, zero)));
}

Var hide_invisible(const Var& key, const Mask& mask) {
  if (mask.allows_all()) return key;
  const Tensor visible = mask.visible_keys();  // [B or 1, Tk or 1]
  const Size B = visible.shape()[0], Tk = visible.shape()[1], rank = key.rank();
  const bool fits =
      (rank == 3 || rank == 4) && (B == 1 || B == key.shape()[0]) && (Tk == 1 || Tk == key.shape()[rank - 2]);
  if (!fits) {
    throw std::invalid_argument("mask: " + text(mask.allowed().shape()) + " does not fit keys " + text(key.shape()));
  }
  if (kernel::all(visible)) return key;
  return where(reshape(visible, rank == 3 ? Shape{B, Tk, 1} : Shape{B, 1, Tk, 1}), key, Tensor::zeros({}, key.dtype()));
}

Var divided_by_total(const Var& parts, const Var& total) {
  const DType dtype = total.dtype();
  return parts / where(equal(total, Tensor::zeros({}, dtype)), Tensor::ones({}, dtype), total);
}

Var unit_length(const Var& x) {
  if (x.value().size() == 0) return x;
  const Tensor largest = kernel::max(kernel::abs(x.value()), {-1}, true), fits = can_be_squared(largest);
  if (kernel::all(fits)) return divided_by_total(x, norm(x, {-1}, true));
  const Var within = x / Var(kernel::where(fits, Tensor::ones({}, x.dtype()), largest));
  return divided_by_total(within, norm(within, {-1}, true));
}

}  // namespace attend
