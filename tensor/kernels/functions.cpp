#include "tensor/inner/elementwise.hpp"
#include "tensor/kernels.hpp"

namespace attend::kernel {

Tensor exp(const Tensor& x) {
  return map("exp", x, [](const auto& e) { return xt::exp(e); });
}

Tensor log(const Tensor& x) {
  return map("log", x, [](const auto& e) { return xt::log(e); });
}

Tensor log1p(const Tensor& x) {
  return map("log1p", x, [](const auto& e) { return xt::log1p(e); });
}

Tensor expm1(const Tensor& x) {
  return map("expm1", x, [](const auto& e) { return xt::expm1(e); });
}

Tensor sqrt(const Tensor& x) {
  return map("sqrt", x, [](const auto& e) { return xt::sqrt(e); });
}

Tensor sin(const Tensor& x) {
  return map("sin", x, [](const auto& e) { return xt::sin(e); });
}

Tensor cos(const Tensor& x) {
  return map("cos", x, [](const auto& e) { return xt::cos(e); });
}

// From 9 on erf is ±1 to the last bit. What goes in is held within ±9, because xsimd makes NaN of 1e100; NaN passes.
Tensor erf(const Tensor& x) {
  return map("erf", x, [](const auto& e) {
    using T = element_of<decltype(e)>;
    return xt::erf(xt::where(e > T(9), T(9), xt::where(e < T(-9), T(-9), e)));
  });
}

}  // namespace attend::kernel
