#include <cmath>

#include "autograd/autocast.hpp"
#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

// Compares x with a number. The number takes the dtype of x where that can hold it; the 0.5 of `ids < 0.5` it cannot
// hold as int64, and then x becomes float64.
template <class Compare>
Tensor compared(Compare compare, const Tensor& x, double number) {
  const bool whole = x.dtype() == DType::int64 && number == std::floor(number) && std::fabs(number) < 0x1p63;
  if (is_floating(x.dtype()) || whole) return compare(x, Tensor::full({}, number, x.dtype()));
  return compare(kernel::cast(x, DType::float64), Tensor::full({}, number, DType::float64));
}

// Compares two.
Tensor compared(Tensor (*compare)(const Tensor&, const Tensor&), V a, V b) {
  if (autocast::meet(a, b)) return compare(autocast::half(a).value(), autocast::half(b).value());
  return compare(a.value(), b.value());
}

}  // namespace

/// d where(c, a, b) = where(c, da, db)
Var where(const Tensor& condition, V a, V b) {
  if (autocast::meet(a, b)) return where(condition, autocast::half(a), autocast::half(b));
  const Tensor zero = Tensor::zeros({}, a.dtype());
  return record(
      "where", kernel::where(condition, a.value(), b.value()), {a, b},
      [condition, zero](V g) { return where(condition, g, zero); },
      [condition, zero](V g) { return where(condition, zero, g); });
}

Var cast(V x, DType dtype) {
  if (x.dtype() == dtype) return x;
  Tensor value = kernel::cast(x.value(), dtype);
  if (!is_floating(dtype) || !is_floating(x.dtype())) return value;
  return record("cast", value, {x}, [from = x.dtype()](V g) { return cast(g, from); });
}

Tensor operator<(V a, V b) { return compared(kernel::less, a, b); }
Tensor operator<=(V a, V b) { return compared(kernel::less_equal, a, b); }
Tensor operator>(V a, V b) { return compared(kernel::greater, a, b); }
Tensor operator>=(V a, V b) { return compared(kernel::greater_equal, a, b); }
Tensor operator<(V a, double b) { return compared(kernel::less, a.value(), b); }
Tensor operator<=(V a, double b) { return compared(kernel::less_equal, a.value(), b); }
Tensor operator>(V a, double b) { return compared(kernel::greater, a.value(), b); }
Tensor operator>=(V a, double b) { return compared(kernel::greater_equal, a.value(), b); }
Tensor equal(V a, V b) { return compared(kernel::equal, a, b); }
Tensor not_equal(V a, V b) { return compared(kernel::not_equal, a, b); }

}  // namespace attend
