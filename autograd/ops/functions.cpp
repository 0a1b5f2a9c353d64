#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

// −1, 0 or 1.
Tensor sign(const Tensor& x) {
  const Tensor zero = Tensor::zeros({}, x.dtype());
  return kernel::sub(kernel::cast(kernel::greater(x, zero), x.dtype()), kernel::cast(kernel::less(x, zero), x.dtype()));
}

}  // namespace

/// d eˣ = eˣ dx
Var exp(V x) {
  return record("exp", kernel::exp(x.value()), {x}, [](V g, Out y) { return g * y; });
}

/// d log x = dx / x
Var log(V x) {
  return record("log", kernel::log(x.value()), {x}, [](V g, In<0> x) { return g / x; });
}

/// d log(1 + x) = dx / (1 + x)
Var log1p(V x) {
  return record("log1p", kernel::log1p(x.value()), {x}, [](V g, In<0> x) { return g / (1.0 + x); });
}

/// d (eˣ − 1) = eˣ dx
Var expm1(V x) {
  return record("expm1", kernel::expm1(x.value()), {x}, [](V g, Out y) { return g * (1.0 + y); });
}

/// d √x = dx / (2√x)
Var sqrt(V x) {
  return record("sqrt", kernel::sqrt(x.value()), {x}, [](V g, Out y) { return 0.5 * g / y; });
}

/// d |x| = sign(x) dx
Var abs(V x) {
  return record("abs", kernel::abs(x.value()), {x}, [](V g, In<0> x) { return g * sign(x.value()); });  // mask
}

/// d sin x = cos x dx
Var sin(V x) {
  return record("sin", kernel::sin(x.value()), {x}, [](V g, In<0> x) { return g * cos(x); });
}

/// d cos x = −sin x dx
Var cos(V x) {
  return record("cos", kernel::cos(x.value()), {x}, [](V g, In<0> x) { return -(g * sin(x)); });
}

/// d erf x = 2/√π exp(−x²) dx
Var erf(V x) {
  constexpr double two_over_sqrt_pi = 1.1283791670955126;
  return record("erf", kernel::erf(x.value()), {x}, [](V g, In<0> x) { return two_over_sqrt_pi * g * exp(-(x * x)); });
}

}  // namespace attend
