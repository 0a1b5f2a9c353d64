#include "nn/dropout.hpp"

#include <stdexcept>

#include "tensor/kernels.hpp"

namespace attend {

Var dropout(const Var& x, double p, Rng* rng) {
  if (!(p >= 0 && p <= 1)) {
    throw std::invalid_argument("dropout: p = " + std::to_string(p) + " is no probability, x " + text(x.shape()));
  }
  if (!rng || p == 0) return x;
  // 1 / (1 − p) would be infinite, and 0 · ∞ no 0.
  if (p == 1) return where(Tensor::zeros(x.shape(), DType::boolean), x, Tensor::zeros({}, x.dtype()));
  const Tensor kept = kernel::cast(rng->bernoulli(x.shape(), 1 - p), x.dtype());
  return x * Var(kernel::affine(kept, 1 / (1 - p), 0));
}

}  // namespace attend
