// Factorisations, by LAPACK. xtensor-blas's xlinalg.hpp takes ten seconds to compile, so it is included here alone.
#include "tensor/dispatch.hpp"
#include "tensor/kernels.hpp"
#include "tensor/xlinalg.hpp"
#include "tensor/xt.hpp"

namespace attend::kernel {

std::pair<Tensor, Tensor> qr(const Tensor& x) {
  if (x.rank() != 2 || x.shape()[0] < x.shape()[1] || x.size() == 0) {
    throw std::invalid_argument("qr: needs a matrix with at least as many rows as columns, not " + text(x.shape()));
  }
  if (is_half(x.dtype())) {
    const auto [q, r] = qr(widened(x));
    return {rounded(q, x.dtype()), rounded(r, x.dtype())};
  }
  const Tensor dense = contiguous(x);
  return by_floating("qr", x, [&](auto zero) {
    const auto [q, r] = xt::linalg::qr(as_xtensor<decltype(zero)>(dense), xt::linalg::qrmode::reduced);
    return std::make_pair(from_xtensor(q), from_xtensor(r));
  });
}

}  // namespace attend::kernel
