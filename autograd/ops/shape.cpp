#include <stdexcept>

#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

// A tensor of zeros of the given shape with x written over its slice: the transpose of `slice`, and in turn its
// derivative.
Var unslice(V x, const Shape& shape, Size axis, Size start, Size step) {
  Axes starts = Sizes::repeat(shape.size(), 0), steps = Sizes::repeat(shape.size(), 1);
  starts[axis] = start;
  steps[axis] = step;
  return record("unslice", kernel::embed(x.value(), shape, starts, steps, 0), {x},
                [axis, start, step](V g, Shapes x) { return slice(g, axis, start, x[0][axis], step); });
}

// x on the diagonal of two new axes a < b, zeros elsewhere: the transpose of `diagonal`.
Var on_diagonal(V x, Size a, Size b) {
  const Size n = x.shape().back();
  const Tensor eye = kernel::one_hot(Tensor::arange(n), n, DType::boolean);  // [n, n]
  const Tensor zero = Tensor::zeros({}, x.dtype());
  const Var square = where(eye, unsqueeze(x, -1), zero);  // [..., n, n]
  Axes order = all_axes(x.rank() - 1);
  order.insert(a, x.rank() - 1);
  order.insert(b, x.rank());
  return permute(square, order);
}

}  // namespace

Var reshape(V x, const Shape& shape) {
  return record("reshape", reshape(x.value(), shape), {x}, [](V g, Shapes x) { return reshape(g, x[0]); });
}

Var permute(V x, const Axes& order) {
  Tensor value = permute(x.value(), order);
  Axes inverse = order;
  for (Size i = 0; i < order.size(); ++i) inverse[normal_axis("permute", order[i], x.rank())] = i;
  return record("permute", std::move(value), {x}, [inverse](V g) { return permute(g, inverse); });
}

Var transpose(V x) {
  return record("transpose", transpose(x.value()), {x}, [](V g) { return transpose(g); });
}

Var squeeze(V x, const Axes& axes) {
  return record("squeeze", squeeze(x.value(), axes), {x}, [](V g, Shapes x) { return reshape(g, x[0]); });
}

Var unsqueeze(V x, Size axis) {
  return record("unsqueeze", unsqueeze(x.value(), axis), {x}, [](V g, Shapes x) { return reshape(g, x[0]); });
}

/// The engine sums g to the shape of x, as for every op that broadcasts.
Var broadcast_to(V x, const Shape& shape) {
  return record("broadcast_to", broadcast_to(x.value(), shape), {x}, [](V g) { return g; });
}

Var slice(V x, Size axis, Size start, Size count, Size step) {
  Tensor value = slice(x.value(), axis, start, count, step);
  const Size from_front = normal_axis("slice", axis, x.rank());
  return record("slice", value, {x}, [=](V g, Shapes x) { return unslice(g, x[0], from_front, start, step); });
}

Var select(V x, Size axis, Size index) {
  axis = normal_axis("select", axis, x.rank());
  const Size from_front = index < 0 ? index + x.shape()[axis] : index;
  if (from_front < 0 || from_front >= x.shape()[axis]) {
    throw std::invalid_argument("select: index " + std::to_string(index) + " on axis " + std::to_string(axis) + " of " +
                                text(x.shape()));
  }
  return squeeze(slice(x, axis, from_front, 1), {axis});
}

Var flip(V x, const Axes& axes) {
  return record("flip", flip(x.value(), axes), {x}, [axes](V g) { return flip(g, axes); });
}

Var roll(V x, Size shift, Size axis) {
  axis = normal_axis("roll", axis, x.rank());
  const Size n = x.shape()[axis];
  if (n == 0) return x;
  shift = ((shift % n) + n) % n;
  if (shift == 0) return x;
  return concat({slice(x, axis, n - shift, shift), slice(x, axis, 0, n - shift)}, axis);
}

Var diagonal(V x, Size a, Size b) {
  Tensor value = diagonal(x.value(), a, b);
  const Axes pair = normal_axes("diagonal", {a, b}, x.rank());
  return record("diagonal", value, {x}, [pair](V g) { return on_diagonal(g, pair[0], pair[1]); });
}

}  // namespace attend
