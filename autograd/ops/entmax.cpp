#include <limits>
#include <stdexcept>

#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

/// dy = s (dx − Σ s dx / Σ s) with s = y^(2 − α) in the support, where y > 0, else 0: sparsemax has s = 1 there. What
/// stands outside of the support has no part, NaN included; where x is NaN, so is dy.
Var entmax_backward(V g, V y, double alpha) {
  const Tensor support = y > 0.0, zero = Tensor::zeros({}, y.dtype()), one = Tensor::ones({}, y.dtype());
  const Tensor zero_or_nan = y.value();  // mask: what y is outside of the support
  const Var s = where(support, pow(where(support, y, one), 2 - alpha), zero_or_nan);
  const Var seen = where(support, g, zero), total = sum(s, {-1}, true);
  return s * (seen - sum(s * seen, {-1}, true) / where(total > 0.0, total, one));
}

Var record_entmax(const char* op, const Tensor& y, V x, double alpha) {
  return record(op, y, {x}, [alpha](V g, Out y) { return entmax_backward(g, y, alpha); });
}

// x with −∞ in the masked places, where entmax gives 0.
Tensor hide(const char* op, const Tensor& x, const Tensor& mask) {
  if (!broadcasts_to(mask.shape(), x.shape())) {
    throw std::invalid_argument(std::string(op) + ": mask " + text(mask.shape()) + " does not fit scores " +
                                text(x.shape()));
  }
  return kernel::where(mask, x, Tensor::full({}, -std::numeric_limits<double>::infinity(), x.dtype()));
}

}  // namespace

Var sparsemax(V x) { return record_entmax("sparsemax", kernel::entmax(x.value(), 2), x, 2); }

Var masked_sparsemax(V x, const Tensor& mask) {
  return record_entmax("masked_sparsemax", kernel::entmax(hide("masked_sparsemax", x.value(), mask), 2), x, 2);
}

Var entmax(V x, double alpha) {
  if (alpha == 1) return softmax(x);
  return record_entmax("entmax", kernel::entmax(x.value(), alpha), x, alpha);
}

Var masked_entmax(V x, const Tensor& mask, double alpha) {
  if (alpha == 1) return masked_softmax(x, mask);
  return record_entmax("masked_entmax", kernel::entmax(hide("masked_entmax", x.value(), mask), alpha), x, alpha);
}

}  // namespace attend
