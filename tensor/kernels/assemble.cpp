// Larger tensors put together from smaller ones.
#include "tensor/cost.hpp"
#include "tensor/inner/dispatch.hpp"
#include "tensor/inner/run.hpp"
#include "tensor/kernels.hpp"

namespace attend::kernel {
namespace {

// Writes x over the window of `out` that begins at `offset` and has the given strides.
template <class T>
void write(const Tensor& x, Tensor& out, Size offset, const Strides& strides) {
  const Plan loop = plan(x.shape(), {strides, x.strides()});
  const Size count = loop.run_length(), to_step = loop.run_stride(0), from_step = loop.run_stride(1);
  T* to = out.writable<T>() + offset;
  const T* from = x.data<T>();
  parallel_runs(loop, [&](auto& at) {
    for (Size i = 0; i < count; ++i) to[at[0] + i * to_step] = from[at[1] + i * from_step];
  });
}

}  // namespace

Tensor concat(const std::vector<Tensor>& parts, Size axis) {
  if (parts.empty()) throw std::invalid_argument("concat: no tensors to join");
  const Tensor& model = parts[0];
  axis = normal_axis("concat", axis, model.rank());
  Shape shape = model.shape();
  shape[axis] = 0;
  for (const Tensor& part : parts) {
    check_same_dtype("concat", model, part);
    Shape expected = model.shape();
    if (part.rank() == model.rank()) expected[axis] = part.shape()[axis];
    if (part.shape() != expected) {
      throw std::invalid_argument("concat: shapes differ outside axis " + std::to_string(axis) + ": " +
                                  text(model.shape()) + " and " + text(part.shape()));
    }
    shape[axis] += part.shape()[axis];
  }
  Tensor out = Tensor::uninitialized(shape, model.dtype());
  note_cost("concat", {0, out.size() * width(model.dtype()), out.size() * width(model.dtype())});
  by_dtype(model.dtype(), [&](auto zero) {
    Size begin = 0;
    for (const Tensor& part : parts) {
      write<decltype(zero)>(part, out, begin * out.strides()[axis], out.strides());
      begin += part.shape()[axis];
    }
  });
  return out;
}

Tensor embed(const Tensor& x, const Shape& shape, const Axes& start, const Axes& step, double fill) {
  Tensor out = Tensor::full(shape, fill, x.dtype());
  note_cost("embed", {0, x.size() * width(x.dtype()), out.size() * width(x.dtype())});
  Tensor window = out;  // slice checks that x fits
  for (Size axis = 0; axis < x.rank(); ++axis) window = slice(window, axis, start[axis], x.shape()[axis], step[axis]);
  Size offset = 0;
  for (Size axis = 0; axis < x.rank(); ++axis) offset += start[axis] * out.strides()[axis];
  by_dtype(x.dtype(), [&](auto zero) {
    if (x.size() > 0) write<decltype(zero)>(x, out, offset, window.strides());
  });
  return out;
}

}  // namespace attend::kernel
