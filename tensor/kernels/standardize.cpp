// Standardized rows: their mean 0, their variance 1.
#include <cmath>

#include "tensor/cost.hpp"
#include "tensor/inner/dispatch.hpp"
#include "tensor/inner/simd.hpp"
#include "tensor/kernels.hpp"

namespace attend::kernel {
namespace {

// to = (x − mean) / deviation for one row, and 1 / deviation = 1 / √(variance + epsilon).
template <class T>
T standardize_row(const T* x, T epsilon, T* to, Size count) {
  const T mean = simd::sum(x, count) / static_cast<T>(count);
  for (Size i = 0; i < count; ++i) to[i] = x[i] - mean;
  const T variance = simd::dot(to, to, count) / static_cast<T>(count);
  const T factor = T(1) / std::sqrt(variance + epsilon);
  simd::scale(to, factor, to, count);
  return factor;
}

// to = (g − mean g − y · mean(g y)) / deviation for one row, y computed once more: a row stays in the nearest cache.
template <class T>
void standardize_backward_row(const T* g, const T* x, T epsilon, T* to, Size count) {
  const T factor = standardize_row(x, epsilon, to, count);
  const T level = simd::sum(g, count) / static_cast<T>(count), slope = simd::dot(g, to, count) / static_cast<T>(count);
  for (Size i = 0; i < count; ++i) to[i] = (g[i] - level - to[i] * slope) * factor;
}

}  // namespace

Tensor standardize(const Tensor& x_, double epsilon) {
  check_floating("standardize", x_);
  if (x_.rank() == 0) throw std::invalid_argument("standardize: a number has no axis to standardize: shape []");
  if (is_half(x_.dtype())) return rounded(standardize(widened(x_), epsilon), x_.dtype());
  const Tensor x = contiguous(x_);
  Tensor out = Tensor::uninitialized(x.shape(), x.dtype());
  note_cost("standardize", {3 * x.size(), x.size() * width(x.dtype()), x.size() * width(x.dtype())});
  by_floating("standardize", x, [&](auto zero) {
    using T = decltype(zero);
    const T* from = x.data<T>();
    T* to = out.writable<T>();
    parallel_rows(x, [&](Size at) { standardize_row(from + at, static_cast<T>(epsilon), to + at, x.shape().back()); });
  });
  return out;
}

Tensor standardize_backward(const Tensor& g_, const Tensor& x_, double epsilon) {
  check_same_dtype("standardize_backward", g_, x_);
  if (is_half(x_.dtype())) return rounded(standardize_backward(widened(g_), widened(x_), epsilon), x_.dtype());
  const Tensor g = contiguous(g_), x = contiguous(x_);
  Tensor out = Tensor::uninitialized(x.shape(), x.dtype());
  note_cost("standardize_backward", {6 * x.size(), 2 * x.size() * width(x.dtype()), x.size() * width(x.dtype())});
  by_floating("standardize_backward", x, [&](auto zero) {
    using T = decltype(zero);
    const T *from_g = g.data<T>(), *from_x = x.data<T>();
    T* to = out.writable<T>();
    parallel_rows(x, [&](Size at) {
      standardize_backward_row(from_g + at, from_x + at, static_cast<T>(epsilon), to + at, x.shape().back());
    });
  });
  return out;
}

}  // namespace attend::kernel
