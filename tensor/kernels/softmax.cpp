// Softmax and its kin over the last axis, row by row.
#include <cmath>
#include <limits>

#include "tensor/cost.hpp"
#include "tensor/inner/dispatch.hpp"
#include "tensor/inner/run.hpp"
#include "tensor/inner/simd.hpp"
#include "tensor/kernels.hpp"

namespace attend::kernel {
namespace {

void check_rows(const char* op, const Tensor& x) {
  check_floating(op, x);
  if (x.rank() == 0) throw std::invalid_argument(std::string(op) + ": a number has no axis to normalise: shape []");
}

// A row's largest element, or 0 where that is infinite: x − max would be NaN.
template <class T>
T finite_max(const T* x, Size count) {
  const T largest = simd::max(x, count);
  return std::isinf(largest) ? T(0) : largest;
}

template <class T>
void softmax_row(const T* x, T* y, Size count) {
  const T total = simd::exp_shifted(x, simd::max(x, count), y, count);
  simd::scale(y, T(1) / total, y, count);
}

// The allowed scores are packed together, so that a masked one, NaN included, has no part in anything.
template <class T>
void masked_softmax_row(const T* x, const bool* mask, Size mask_step, T* y, Size count, std::vector<T>& packed) {
  packed.clear();
  for (Size i = 0; i < count; ++i) {
    if (mask[i * mask_step]) packed.push_back(x[i]);
  }
  if (!packed.empty()) softmax_row(packed.data(), packed.data(), static_cast<Size>(packed.size()));
  std::size_t next = 0;
  for (Size i = 0; i < count; ++i) y[i] = mask[i * mask_step] ? packed[next++] : T(0);
}

template <class T>
T logsumexp_row(const T* x, Size count, T* scratch) {
  if (count == 0) return -std::numeric_limits<T>::infinity();
  const T shift = finite_max(x, count);
  return shift + std::log(simd::exp_shifted(x, shift, scratch, count));
}

}  // namespace

Tensor softmax(const Tensor& x_) {
  check_rows("softmax", x_);
  if (is_half(x_.dtype())) return rounded(softmax(widened(x_)), x_.dtype());
  const Tensor x = contiguous(x_);
  Tensor y = Tensor::uninitialized(x.shape(), x.dtype());
  note_cost("softmax", {x.size(), x.size() * width(x.dtype()), x.size() * width(x.dtype())});
  const Size count = x.shape().back();
  by_floating("softmax", x, [&](auto zero) {
    using T = decltype(zero);
    const T* from = x.data<T>();
    T* to = y.writable<T>();
    parallel_rows(x, [=](Size at) { softmax_row(from + at, to + at, count); });
  });
  return y;
}

Tensor masked_softmax(const Tensor& x_, const Tensor& mask_) {
  check_rows("masked_softmax", x_);
  if (is_half(x_.dtype())) return rounded(masked_softmax(widened(x_), mask_), x_.dtype());
  if (mask_.dtype() != DType::boolean) {
    throw std::invalid_argument(std::string("masked_softmax: the mask is ") + text(mask_.dtype()) + " " +
                                text(mask_.shape()) + "; it must be bool");
  }
  if (broadcast_shape("masked_softmax", x_.shape(), mask_.shape()) != x_.shape()) {
    throw std::invalid_argument("masked_softmax: mask " + text(mask_.shape()) + " does not fit scores " +
                                text(x_.shape()));
  }
  const Tensor x = contiguous(x_), mask = broadcast_to(mask_, x_.shape());
  Tensor y = Tensor::uninitialized(x.shape(), x.dtype());
  note_cost("masked_softmax", {x.size(), x.size() * width(x.dtype()) + mask_.size(), x.size() * width(x.dtype())});
  const Size count = x.shape().back(), mask_step = mask.strides().back();

  // Rows of the mask are found by the run loop over all axes but the last.
  Shape row_shape = x.shape();
  Strides row_strides = x.strides(), mask_strides = mask.strides();
  for (Sizes* sizes : {&row_shape, &row_strides, &mask_strides}) sizes->erase(sizes->size() - 1);
  row_shape.push_back(1);
  row_strides.push_back(0);
  mask_strides.push_back(0);
  const Plan rows = plan(row_shape, {row_strides, mask_strides});

  by_floating("masked_softmax", x, [&](auto zero) {
    using T = decltype(zero);
    if (x.size() == 0) return;
    const T* from = x.data<T>();
    T* to = y.writable<T>();
    const bool* allowed = mask.data<bool>();
    std::vector<T> packed;
    each_run(rows, 0, rows.runs(), [&](auto& offset) {
      for (Size i = 0; i < rows.run_length(); ++i) {
        const Size at = offset[0] + i * rows.run_stride(0);
        const bool* mask_row = allowed + offset[1] + i * rows.run_stride(1);
        masked_softmax_row(from + at, mask_row, mask_step, to + at, count, packed);
      }
    });
  });
  return y;
}

Tensor logsumexp(const Tensor& x_) {
  check_rows("logsumexp", x_);
  if (is_half(x_.dtype())) return rounded(logsumexp(widened(x_)), x_.dtype());
  const Tensor x = contiguous(x_);
  Tensor y = Tensor::full(reduced_shape(x.shape(), {x.rank() - 1}, false), -std::numeric_limits<double>::infinity(),
                          x.dtype());
  note_cost("logsumexp", {0, x.size() * width(x.dtype()), y.size() * width(x.dtype())});
  const Size count = x.shape().back();
  by_floating("logsumexp", x, [&](auto zero) {
    using T = decltype(zero);
    const T* from = x.data<T>();
    T* to = y.writable<T>();
    std::vector<T> scratch(static_cast<std::size_t>(count));
    for (Size row = 0; row < y.size(); ++row) to[row] = logsumexp_row(from + row * count, count, scratch.data());
  });
  return y;
}

Tensor log_softmax(const Tensor& x) {
  check_rows("log_softmax", x);
  if (is_half(x.dtype())) return rounded(log_softmax(widened(x)), x.dtype());
  // In a row of −∞ the normaliser is −∞ too, and the difference NaN: such a row has no distribution.
  return sub(x, unsqueeze(logsumexp(x), -1));
}

Tensor softmax_backward(const Tensor& g_, const Tensor& y_) {
  check_same_dtype("softmax_backward", g_, y_);
  if (is_half(y_.dtype())) return rounded(softmax_backward(widened(g_), widened(y_)), y_.dtype());
  const Tensor g = contiguous(broadcast_to(g_, y_.shape())), y = contiguous(y_);
  Tensor out = Tensor::uninitialized(y.shape(), y.dtype());
  note_cost("softmax_backward", {2 * y.size(), 2 * y.size() * width(y.dtype()), y.size() * width(y.dtype())});
  const Size count = y.shape().back();
  by_floating("softmax_backward", y, [&](auto zero) {
    using T = decltype(zero);
    const T *from_g = g.data<T>(), *from_y = y.data<T>();
    T* to = out.writable<T>();
    parallel_rows(y, [=](Size at) {
      const T *gs = from_g + at, *ys = from_y + at;
      T mean = simd::dot(gs, ys, count);
      if (!std::isfinite(mean)) {  // 0 · NaN: look again without the masked elements
        mean = 0;
        for (Size i = 0; i < count; ++i) mean += ys[i] == 0 ? T(0) : gs[i] * ys[i];
      }
      for (Size i = 0; i < count; ++i) to[at + i] = ys[i] == 0 ? T(0) : ys[i] * (gs[i] - mean);
    });
  });
  return out;
}

}  // namespace attend::kernel
