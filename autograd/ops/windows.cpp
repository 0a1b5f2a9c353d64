#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {

/// windows and overlap_add are linear, and each is the transpose of the other.
Var windows(V x, Size axis, Size size, Size stride, Size dilation) {
  Tensor value = windows(x.value(), axis, size, stride, dilation);
  axis = normal_axis("windows", axis, x.rank());
  return record("windows", value, {x},
                [=](V g, Shapes x) { return overlap_add(g, axis, x[0][axis], stride, dilation); });
}

Var overlap_add(V windowed, Size axis, Size length, Size stride, Size dilation) {
  Tensor value = kernel::overlap_add(windowed.value(), axis, length, stride, dilation);
  axis = normal_axis("overlap_add", axis, value.rank());
  return record("overlap_add", value, {windowed}, [=](V g, Shapes w) {
    // A length may reach past the last window: what no window reads has no part in the derivative.
    const Size size = w[0].back(), used = (w[0][axis] - 1) * stride + (size - 1) * dilation + 1;
    return windows(slice(g, axis, 0, used), axis, size, stride, dilation);
  });
}

}  // namespace attend
