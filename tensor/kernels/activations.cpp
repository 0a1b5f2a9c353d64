#include "tensor/elementwise.hpp"
#include "tensor/kernels.hpp"

namespace attend::kernel {

Tensor abs(const Tensor& x) {
  return map("abs", x, [](const auto& e) { return xt::abs(e); });
}

Tensor tanh(const Tensor& x) {
  return map("tanh", x, [](const auto& e) { return xt::tanh(e); });
}

// exp(−x) overflows to ∞ for very negative x, and 1 / ∞ is the right value.
Tensor sigmoid(const Tensor& x) {
  return map("sigmoid", x, [](const auto& e) {
    using T = element_of<decltype(e)>;
    return T(1) / (T(1) + xt::exp(-e));
  });
}

// log(1 + exp(x)) = max(x, 0) + log(1 + exp(−|x|)), where the exponent never overflows.
Tensor softplus(const Tensor& x) {
  return map("softplus", x, [](const auto& e) {
    using T = element_of<decltype(e)>;
    return xt::maximum(e, T(0)) + xt::log1p(xt::exp(-xt::abs(e)));
  });
}

namespace {

// Φ and φ: the normal distribution and its density. Held as in kernel::erf, for xsimd makes NaN of the erf of 1e100.
template <class E>
auto normal_distribution(const E& e) {
  using T = element_of<E>;
  return T(0.5) * (T(1) + xt::erf(xt::where(e > T(12), T(9), xt::where(e < T(-12), T(-9), T(0.7071067811865476) * e))));
}
template <class E>
auto normal_density(const E& e) {
  using T = element_of<E>;
  return T(0.3989422804014327) * xt::exp(T(-0.5) * e * e);
}

}  // namespace

Tensor gelu(const Tensor& x) {
  return map("gelu", x, [](const auto& e) { return e * normal_distribution(e); });
}

Tensor gelu_slope(const Tensor& x) {
  return map("gelu_slope", x, [](const auto& e) { return normal_distribution(e) + e * normal_density(e); });
}

// `e <= 0` is false for NaN, so NaN passes through.
Tensor relu(const Tensor& x) {
  return map("relu", x, [](const auto& e) {
    using T = element_of<decltype(e)>;
    return xt::where(e <= T(0), T(0), e);
  });
}

Tensor leaky_relu(const Tensor& x, double slope) {
  if (slope == 0) return relu(x);  // 0 · −∞ would be NaN
  return map("leaky_relu", x, [slope](const auto& e) {
    using T = element_of<decltype(e)>;
    return xt::where(e > T(0), e, e * T(slope));
  });
}

Tensor clamp(const Tensor& x, double low, double high) {
  return map("clamp", x, [low, high](const auto& e) {
    using T = element_of<decltype(e)>;
    return xt::where(e < T(low), T(low), xt::where(e > T(high), T(high), e));
  });
}

}  // namespace attend::kernel
