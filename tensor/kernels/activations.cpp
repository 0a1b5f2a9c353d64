#include "tensor/elementwise.hpp"
#include "tensor/kernels.hpp"
#include "tensor/special.hpp"

namespace attend::kernel {

Tensor abs(const Tensor& x) {
  return map("abs", x, [](const auto& e) { return xt::abs(e); });
}

Tensor tanh(const Tensor& x) {
  return map("tanh", x, OnVectors{[](const auto& v) { return simd::tanh(v); }});
}

Tensor tanh_backward(const Tensor& g, const Tensor& y) {
  return zip("tanh_backward", g, y, [](const auto& g, const auto& y) {
    using T = element_of<decltype(y)>;
    return g * (T(1) - y * y);
  });
}

// exp(−x) overflows to ∞ for very negative x, and 1 / ∞ is the right value.
Tensor sigmoid(const Tensor& x) {
  return map("sigmoid", x, [](const auto& e) {
    using T = element_of<decltype(e)>;
    return T(1) / (T(1) + xt::exp(-e));
  });
}

Tensor sigmoid_backward(const Tensor& g, const Tensor& y) {
  return zip("sigmoid_backward", g, y, [](const auto& g, const auto& y) {
    using T = element_of<decltype(y)>;
    return g * (y * (T(1) - y));
  });
}

// log(1 + exp(x)) = max(x, 0) + log(1 + exp(−|x|)), where the exponent never overflows.
Tensor softplus(const Tensor& x) {
  return map("softplus", x, [](const auto& e) {
    using T = element_of<decltype(e)>;
    return xt::maximum(e, T(0)) + xt::log1p(xt::exp(-xt::abs(e)));
  });
}

Tensor gelu(const Tensor& x) {
  return map("gelu", x, OnVectors{[](const auto& v) { return simd::gelu(v); }});
}

Tensor gelu_backward(const Tensor& g, const Tensor& x) {
  return zip("gelu_backward", g, x, OnVectors{[](const auto& g, const auto& x) { return g * simd::gelu_slope(x); }});
}

// `e <= 0` is false for NaN, so NaN passes through.
Tensor relu(const Tensor& x) {
  return map("relu", x, [](const auto& e) {
    using T = element_of<decltype(e)>;
    return xt::where(e <= T(0), T(0), e);
  });
}

Tensor relu_backward(const Tensor& g, const Tensor& y) {
  return zip("relu_backward", g, y, OnVectors{[](const auto& g, const auto& y) {
               using V = std::decay_t<decltype(y)>;
               return xsimd::select(y > V(0), g, V(0));
             }});
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
