#include <stdexcept>

#include "autograd/autocast.hpp"
#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

// [..., k] -> [rows, k]: all leading axes are rows of one matrix.
template <class X>
X as_rows(const X& x) {
  const Size rows = element_count(reduced_shape(x.shape(), {x.rank() - 1}, false));
  return reshape(x, {rows, x.shape()[x.rank() - 1]});
}

// [..., k] · [k, n]: one product, forward and backward.
Var matmul_shared(V a, V b) {
  Shape shape = a.shape();
  shape.back() = b.shape()[1];
  Tensor product = reshape(kernel::matmul(as_rows(a.value()), b.value()), shape);
  return record(
      "matmul", std::move(product), {a, b}, [](V g, In<1> b) { return matmul(g, transpose(b)); },
      [](V g, In<0> a) { return matmul(transpose(as_rows<Var>(a)), as_rows(g)); });
}

// A row or a column becomes a matrix; a mistake is told with the shapes that the caller knows.
void check_vector(V a, V b) {
  const Size rows_of_b = b.rank() == 1 ? b.shape()[0] : b.shape()[b.rank() - 2];
  if (a.shape().back() == rows_of_b) return;
  throw std::invalid_argument("matmul: inner sizes differ: " + text(a.shape()) + " x " + text(b.shape()));
}

}  // namespace

/// d(A B) = dA B + A dB, so A gets g Bᵀ and B gets Aᵀ g
Var matmul(V a, V b) {
  if (autocast::takes_down(a, b)) return matmul(autocast::down(a), autocast::down(b));
  check_floating("matmul", a.value());  // here, with the shapes that the caller knows
  check_same_dtype("matmul", a.value(), b.value());
  if (a.rank() > 0 && b.rank() > 0 && (a.rank() == 1 || b.rank() == 1)) check_vector(a, b);
  if (a.rank() == 1 && b.rank() >= 1) return squeeze(matmul(unsqueeze(a, 0), b), {b.rank() == 1 ? 0 : -2});
  if (b.rank() == 1 && a.rank() >= 1) return squeeze(matmul(a, unsqueeze(b, 1)), {-1});
  if (b.rank() == 2 && a.rank() > 2 && a.shape().back() == b.shape()[0]) return matmul_shared(a, b);
  return record(
      "matmul", kernel::matmul(a.value(), b.value()), {a, b}, [](V g, In<1> b) { return matmul(g, transpose(b)); },
      [](V g, In<0> a) { return matmul(transpose(a), g); });
}

/// d(X W + b) = dX W + X dW + db. In half it is two ops, whose operands may differ in dtype.
Var linear(V x, V W, V b) {
  if (Autocast::on() || is_half(x.dtype())) return matmul(x, W) + b;
  const bool fits = x.rank() > 0 && W.rank() == 2 && x.shape().back() == W.shape()[0];
  const Tensor rows = fits ? as_rows(x.value()) : x.value();  // a mistake is told with the shapes that the caller knows
  const Tensor value = kernel::linear(rows, W.value(), b.value());
  Shape shape = x.shape();
  shape.back() = W.shape()[1];
  return record(
      "linear", reshape(value, shape), {x, W, b},  //
      [](V g, In<1> W) { return matmul(g, transpose(W)); },
      [](V g, In<0> x) { return matmul(transpose(as_rows<Var>(x)), as_rows(g)); },  //
      [](V g) { return g; });
}

}  // namespace attend
