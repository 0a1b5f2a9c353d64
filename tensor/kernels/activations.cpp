#include "tensor/inner/elementwise.hpp"
#include "tensor/inner/special.hpp"
#include "tensor/kernels.hpp"

namespace attend::kernel {
namespace {

// The loops of AVX-512 in the form that map_runs and zip_runs call.
void wide_gelu(void* out, Size count, const void* x, const void*, Operands, const void*) {
  avx512::gelu(static_cast<const float*>(x), static_cast<float*>(out), count);
}
void wide_gelu_backward(void* out, Size count, const void* g, const void* x, Operands operands, const void*) {
  const Size g_step = operands == Operands::first_is_scalar ? 0 : 1;
  const Size x_step = operands == Operands::second_is_scalar ? 0 : 1;
  avx512::gelu_backward(static_cast<const float*>(g), g_step, static_cast<const float*>(x), x_step,
                        static_cast<float*>(out), count);
}

}  // namespace

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
  const OnVectors on{[](const auto& v) { return simd::gelu(v); }};
  using On = std::decay_t<decltype(on)>;
  const Run run32 = avx512::available() ? wide_gelu : run_map<float, On>;
  return map_runs("gelu", x, run32, run_map<double, On>, &on);
}

Tensor gelu_backward(const Tensor& g, const Tensor& x) {
  const OnVectors on{[](const auto& g, const auto& x) { return g * simd::gelu_slope(x); }};
  using On = std::decay_t<decltype(on)>;
  const Run run32 = avx512::available() ? wide_gelu_backward : run_zip<float, On>;
  return zip_runs("gelu_backward", g, x, run32, run_zip<double, On>, &on);
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
