#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

// [..., m, k] · [k, n]: the leading axes are rows of one product, forward and backward.
Var matmul_shared(V a, V b) {
  Shape shape = a.shape();
  shape.back() = b.shape().back();
  const Size k = a.shape().back();
  const Size rows = element_count(reduced_shape(a.shape(), {a.rank() - 1}, false));
  return reshape(matmul(reshape(a, {rows, k}), b), shape);
}

}  // namespace

/// d(A B) = dA B + A dB, so A gets g Bᵀ and B gets Aᵀ g
Var matmul(V a, V b) {
  if (a.rank() == 1 && b.rank() >= 1) return squeeze(matmul(unsqueeze(a, 0), b), {b.rank() == 1 ? 0 : -2});
  if (b.rank() == 1 && a.rank() >= 1) return squeeze(matmul(a, unsqueeze(b, 1)), {-1});
  if (b.rank() == 2 && a.rank() > 2 && a.shape().back() == b.shape()[0]) return matmul_shared(a, b);
  return record(
      "matmul", kernel::matmul(a.value(), b.value()), {a, b}, [](V g, In<1> b) { return matmul(g, transpose(b)); },
      [](V g, In<0> a) { return matmul(transpose(a), g); });
}

}  // namespace attend
