// Along one axis, element after element: running sums, the place of the largest, the order of all.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tensor/cost.hpp"
#include "tensor/inner/dispatch.hpp"
#include "tensor/kernels.hpp"

namespace attend::kernel {
namespace {

// A row-major tensor seen as [outer, length, inner] around one axis.
struct Around {
  Size outer = 1, length, inner = 1;
  Around(const Tensor& x, Size axis) : length(x.shape()[axis]) {
    for (Size i = 0; i < axis; ++i) outer *= x.shape()[i];
    for (Size i = axis + 1; i < x.rank(); ++i) inner *= x.shape()[i];
  }
  // Calls f(first, index) for every line along the axis: its elements lie at first + i · inner.
  template <class F>
  void each_line(F f) const {
    for (Size o = 0; o < outer; ++o) {
      for (Size i = 0; i < inner; ++i) f(o * length * inner + i, o * inner + i);
    }
  }
};

bool is_nan(double x) { return std::isnan(x); }

// Whether a comes before b: NaN is last in either order.
template <class T>
bool before(T a, T b, bool descending) {
  if (is_nan(static_cast<double>(a)) || is_nan(static_cast<double>(b))) {
    return !is_nan(static_cast<double>(a)) && is_nan(static_cast<double>(b));
  }
  return descending ? a > b : a < b;
}

// Whether a is to be preferred to b as the largest: NaN wins, as it does in max.
template <class T>
bool larger(T a, T b) {
  if (is_nan(static_cast<double>(b))) return false;
  return a > b || is_nan(static_cast<double>(a));
}

}  // namespace

Tensor cumsum(const Tensor& x_, Size axis) {
  check_floating("cumsum", x_);
  if (is_half(x_.dtype())) return rounded(cumsum(widened(x_), axis), x_.dtype());
  axis = normal_axis("cumsum", axis, x_.rank());
  const Tensor x = contiguous(x_);
  Tensor out = Tensor::uninitialized(x.shape(), x.dtype());
  note_cost("cumsum", {0, x.size() * width(x.dtype()), x.size() * width(x.dtype())});
  const Around around(x, axis);
  by_floating("cumsum", x, [&](auto zero) {
    using T = decltype(zero);
    const T* from = x.data<T>();
    T* to = out.writable<T>();
    around.each_line([&](Size first, Size) {
      T total = 0;
      for (Size i = 0; i < around.length; ++i) {
        to[first + i * around.inner] = total += from[first + i * around.inner];
      }
    });
  });
  return out;
}

Tensor argmax(const Tensor& x_, Size axis, bool keep_dims) {
  axis = normal_axis("argmax", axis, x_.rank());
  if (x_.shape()[axis] == 0) {
    throw std::invalid_argument("argmax: nothing to choose from on axis " + std::to_string(axis) + " of shape " +
                                text(x_.shape()));
  }
  const Tensor x = contiguous(x_);
  Tensor out = Tensor::uninitialized(reduced_shape(x.shape(), {axis}, keep_dims), DType::int64);
  const Around around(x, axis);
  by_dtype(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = x.data<T>();
    around.each_line([&](Size first, Size line) {
      Size best = 0;
      for (Size i = 1; i < around.length; ++i) {
        if (larger(from[first + i * around.inner], from[first + best * around.inner])) best = i;
      }
      out.writable<std::int64_t>()[line] = best;
    });
  });
  return out;
}

Tensor argsort(const Tensor& x_, Size axis, bool descending) {
  axis = normal_axis("argsort", axis, x_.rank());
  const Tensor x = contiguous(x_);
  Tensor out = Tensor::uninitialized(x.shape(), DType::int64);
  const Around around(x, axis);
  std::vector<Size> order(static_cast<std::size_t>(around.length));
  by_dtype(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = x.data<T>();
    around.each_line([&](Size first, Size) {
      std::iota(order.begin(), order.end(), Size{0});
      std::stable_sort(order.begin(), order.end(), [&](Size i, Size j) {
        return before(from[first + i * around.inner], from[first + j * around.inner], descending);
      });
      for (Size i = 0; i < around.length; ++i) {
        out.writable<std::int64_t>()[first + i * around.inner] = order[static_cast<std::size_t>(i)];
      }
    });
  });
  return out;
}

}  // namespace attend::kernel
