#include <algorithm>
#include <stdexcept>

#include "autograd/autocast.hpp"
#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

Size reduced_count(const Shape& shape, const Axes& axes) {
  Size count = 1;
  for (Size axis : axes) count *= shape[axis];
  return count;
}

// A reduced result, or its cotangent, spread out to the shape it was reduced from. `reduced` may lack the axes.
Var spread(V reduced, const Shape& shape, const Axes& axes) {
  return broadcast_to(reshape(reduced, reduced_shape(shape, axes, true)), shape);
}

// The reduced axes joined to one last axis, which a kernel for the last axis can take.
Var axes_last(V x, const Axes& axes) {
  Axes order;
  Shape shape;
  for (Size i = 0; i < x.rank(); ++i) {
    if (std::find(axes.begin(), axes.end(), i) != axes.end()) continue;
    order.push_back(i);
    shape.push_back(x.shape()[i]);
  }
  for (Size axis : axes) order.push_back(axis);
  shape.push_back(reduced_count(x.shape(), axes));
  return reshape(permute(x, order), shape);
}

Var with_dims(V reduced, const Shape& shape, const Axes& axes, bool keep_dims) {
  return keep_dims ? reshape(reduced, reduced_shape(shape, axes, true)) : reduced;
}

// The share of every element in the derivative of a maximum or minimum: evenly over the elements that equal it.
Var share_of_extremes(V g, V x, V y, const Axes& axes) {
  const Tensor extreme = kernel::cast(equal(x, spread(y, x.shape(), axes)), x.dtype());
  const Tensor share = kernel::div(extreme, kernel::sum(extreme, axes, true));
  return spread(g, x.shape(), axes) * share;
}

}  // namespace

/// d Σ x = Σ dx
Var sum(V x, const Axes& axes, bool keep_dims) {
  if (autocast::takes_up(x)) return sum(autocast::up(x), axes, keep_dims);
  const Axes normal = normal_axes("sum", axes, x.rank());
  return record("sum", kernel::sum(x.value(), normal, keep_dims), {x},
                [normal](V g, Shapes x) { return spread(g, x[0], normal); });
}

Var sum(V x) { return sum(x, all_axes(x.rank())); }

Var mean(V x, const Axes& axes, bool keep_dims) {
  const Size count = reduced_count(x.shape(), normal_axes("mean", axes, x.rank()));
  if (count == 0) throw std::invalid_argument("mean: over nothing: shape " + text(x.shape()) + ", axes " + text(axes));
  return sum(x, axes, keep_dims) / static_cast<double>(count);
}

Var mean(V x) { return mean(x, all_axes(x.rank())); }

Var variance(V x, const Axes& axes, bool keep_dims, Size correction) {
  if (autocast::takes_up(x)) return variance(autocast::up(x), axes, keep_dims, correction);
  const Size count = reduced_count(x.shape(), normal_axes("variance", axes, x.rank()));
  if (count <= correction) {
    throw std::invalid_argument("variance: " + std::to_string(count) + " numbers with correction " +
                                std::to_string(correction) + ": shape " + text(x.shape()) + ", axes " + text(axes));
  }
  const Var centred = x - mean(x, axes, true);
  return sum(centred * centred, axes, keep_dims) / static_cast<double>(count - correction);
}

Var max(V x, const Axes& axes, bool keep_dims) {
  const Axes normal = normal_axes("max", axes, x.rank());
  return record("max", kernel::max(x.value(), normal, keep_dims), {x},
                [normal](V g, In<0> x, Out y) { return share_of_extremes(g, x, y, normal); });
}

Var min(V x, const Axes& axes, bool keep_dims) {
  const Axes normal = normal_axes("min", axes, x.rank());
  return record("min", kernel::min(x.value(), normal, keep_dims), {x},
                [normal](V g, In<0> x, Out y) { return share_of_extremes(g, x, y, normal); });
}

/// The product of the two halves of the elements, and so on down. Unlike y / x, its derivative needs no division, and
/// is right where factors are 0.
Var prod(V x, const Axes& axes, bool keep_dims) {
  if (autocast::takes_up(x)) return prod(autocast::up(x), axes, keep_dims);
  const Axes normal = normal_axes("prod", axes, x.rank());
  Var y = axes_last(x, normal);
  if (y.shape().back() == 0) return Var(Tensor::ones(reduced_shape(x.shape(), normal, keep_dims), x.dtype()));
  while (y.shape().back() > 1) {
    const Size count = y.shape().back(), half = count / 2;
    Var halves = slice(y, -1, 0, half) * slice(y, -1, half, half);
    y = count % 2 == 0 ? halves : concat({halves, slice(y, -1, count - 1, 1)}, -1);
  }
  return with_dims(squeeze(y, {-1}), x.shape(), normal, keep_dims);
}

/// d log Σ exp(x) = Σ exp(x − y) dx
Var logsumexp(V x, const Axes& axes, bool keep_dims) {
  if (autocast::takes_up(x)) return logsumexp(autocast::up(x), axes, keep_dims);
  const Axes normal = normal_axes("logsumexp", axes, x.rank());
  const Var rows = axes_last(x, normal);
  const Var y = record("logsumexp", kernel::logsumexp(rows.value()), {rows}, [](V g, In<0> x, Out y) {
    // In a row of −∞ the result is −∞ too; 0 in its place gives exp(−∞ − 0) = 0.
    const Var finite = where(kernel::is_finite(y.value()), y, Tensor::zeros({}, y.dtype()));  // mask
    return unsqueeze(g, -1) * exp(x - unsqueeze(finite, -1));
  });
  return with_dims(y, x.shape(), normal, keep_dims);
}

/// d √Σx² = Σ x dx / √Σx²
Var norm(V x, const Axes& axes, bool keep_dims) {
  if (autocast::takes_up(x)) return norm(autocast::up(x), axes, keep_dims);
  const Axes normal = normal_axes("norm", axes, x.rank());
  const Tensor value = kernel::sqrt(kernel::sum(kernel::mul(x.value(), x.value()), normal, keep_dims));
  return record("norm", value, {x}, [normal](V g, In<0> x, Out y) {
    // Where the norm is 0 so is x, and any divisor but 0 gives the derivative 0.
    const Var divisor = where(y > 0.0, y, Tensor::ones({}, y.dtype()));
    return x * spread(g / divisor, x.shape(), normal);
  });
}

/// d Σ_{j ≤ i} x_j: x_j goes into every sum from its place on
Var cumsum(V x, Size axis) {
  if (autocast::takes_up(x)) return cumsum(autocast::up(x), axis);
  return record("cumsum", kernel::cumsum(x.value(), axis), {x},
                [axis](V g) { return flip(cumsum(flip(g, {axis}), axis), {axis}); });
}

}  // namespace attend
