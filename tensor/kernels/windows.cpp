#include <algorithm>

#include "tensor/cost.hpp"
#include "tensor/inner/dispatch.hpp"
#include "tensor/inner/run.hpp"
#include "tensor/kernels.hpp"

namespace attend::kernel {
namespace {

template <class T>
void add_run(T* to, Size to_step, const T* from, Size from_step, Size count) {
  if (to_step == 1 && from_step == 1) {  // said apart, the compiler makes vectors of it
    for (Size i = 0; i < count; ++i) to[i] += from[i];
  } else {
    for (Size i = 0; i < count; ++i) to[i * to_step] += from[i * from_step];
  }
}

}  // namespace

// One pass for each place in the window: within a pass no two windows write to the same element.
Tensor overlap_add(const Tensor& windows, Size axis, Size length, Size stride, Size dilation) {
  check_floating("overlap_add", windows);
  if (is_half(windows.dtype())) {
    return rounded(overlap_add(widened(windows), axis, length, stride, dilation), windows.dtype());
  }
  const Size rank = windows.rank() - 1;  // of the result
  axis = normal_axis("overlap_add", axis, rank);
  const Size count = windows.shape()[axis], size = windows.shape()[rank];
  const bool positive = count >= 1 && size >= 1 && stride >= 1 && dilation >= 1 && length >= 1;
  // By division first: the products may be more than a Size holds.
  const bool each = positive && count - 1 <= (length - 1) / stride && size - 1 <= (length - 1) / dilation;
  if (!each || (count - 1) * stride + (size - 1) * dilation >= length) {
    throw std::invalid_argument("overlap_add: windows " + text(windows.shape()) + " do not fit a length of " +
                                std::to_string(length));
  }
  Shape shape = windows.shape();
  shape.erase(rank);
  shape[axis] = length;
  // In the memory order of the windows, so that what is added lies side by side.
  const Strides order = squeeze(slice(windows, rank, 0, 1), {rank}).strides();
  Tensor out = Tensor::uninitialized_in_order(shape, order, windows.dtype());
  note_cost("overlap_add", {0, windows.size() * width(windows.dtype()), out.size() * width(out.dtype())});
  by_floating("overlap_add", windows, [&](auto zero) {
    using T = decltype(zero);
    std::fill_n(out.writable<T>(), out.size(), T(0));
    for (Size k = 0; k < size; ++k) {
      const Tensor from_view = squeeze(slice(windows, rank, k, 1), {rank});
      const Tensor to_view = slice(out, axis, k * dilation, count, stride);
      const Plan loop = plan(from_view.shape(), {to_view.strides(), from_view.strides()});
      const Size n = loop.run_length(), to_step = loop.run_stride(0), from_step = loop.run_stride(1);
      T* to = out.writable<T>() + k * dilation * out.strides()[axis];
      const T* from = from_view.data<T>();
      parallel_runs(loop, [&](auto& offset) { add_run(to + offset[0], to_step, from + offset[1], from_step, n); });
    }
  });
  return out;
}

}  // namespace attend::kernel
