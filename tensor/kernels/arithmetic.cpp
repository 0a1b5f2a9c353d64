#include <cmath>

#include "tensor/inner/elementwise.hpp"
#include "tensor/kernels.hpp"

namespace attend::kernel {

Tensor add(const Tensor& a, const Tensor& b) {
  return zip("add", a, b, OnVectors{[](const auto& x, const auto& y) { return x + y; }});
}

Tensor sub(const Tensor& a, const Tensor& b) {
  return zip("sub", a, b, OnVectors{[](const auto& x, const auto& y) { return x - y; }});
}

Tensor mul(const Tensor& a, const Tensor& b) {
  Tensor out = zip("mul", a, b, OnVectors{[](const auto& x, const auto& y) { return x * y; }});
  note_cost("mul", {out.size(), 0, 0});
  return out;
}

Tensor div(const Tensor& a, const Tensor& b) {
  Tensor out = zip("div", a, b, OnVectors{[](const auto& x, const auto& y) { return x / y; }});
  note_cost("div", {out.size(), 0, 0});
  return out;
}

Tensor affine(const Tensor& x, double factor, double shift) {
  note_cost("affine", {factor == 1 || factor == -1 ? 0 : x.size(), 0, 0});
  if (factor == -1 && shift == 0) return map("affine", x, [](const auto& e) { return -e; });
  if (shift == 0) return map("affine", x, [factor](const auto& e) { return e * element_of<decltype(e)>(factor); });
  return map("affine", x, [factor, shift](const auto& e) {
    using T = element_of<decltype(e)>;
    return e * T(factor) + T(shift);
  });
}

Tensor blend(double a, const Tensor& x, double b, const Tensor& y) {
  note_cost("blend", {x.size() + y.size(), 0, 0});
  return zip("blend", x, y, [a, b](const auto& u, const auto& v) {
    using T = element_of<decltype(u)>;
    return u * T(a) + v * T(b);
  });
}

// xsimd computes exp(y log x), which is 0 for 0⁰ and 0⁻¹ and NaN for 1^∞; the standard's values stand in there. It is
// one expression of operands and temporaries, because an xtensor expression only refers to anything that has a name.
Tensor pow(const Tensor& a, const Tensor& b) {
  return zip("pow", a, b, [](const auto& x, const auto& y) {
    using T = element_of<decltype(x)>;
    return xt::where(
        xt::equal(x, T(1)) || xt::equal(y, T(0)), T(1),
        xt::where(xt::equal(x, T(0)), xt::where(y > T(0), T(0), xt::where(y < T(0), T(INFINITY), y)), xt::pow(x, y)));
  });
}

// xsimd's maximum keeps either operand where one is NaN; NaN + b is NaN, so the sum stands in there.
Tensor maximum(const Tensor& a, const Tensor& b) {
  return zip("maximum", a, b,
             [](const auto& x, const auto& y) { return xt::where(x > y, x, xt::where(x <= y, y, x + y)); });
}

Tensor minimum(const Tensor& a, const Tensor& b) {
  return zip("minimum", a, b,
             [](const auto& x, const auto& y) { return xt::where(x < y, x, xt::where(x >= y, y, x + y)); });
}

}  // namespace attend::kernel
