// Views: other shapes and strides over the same block of memory.
#include <algorithm>
#include <stdexcept>

#include "tensor/tensor.hpp"

namespace attend {
namespace {

[[noreturn]] void fail(const std::string& op, const Tensor& x, const std::string& rest) {
  throw std::invalid_argument(op + ": " + text(x.shape()) + rest);
}

// Strides with which x shows as `shape`, where every new axis lies inside one evenly strided group of old axes.
bool view_strides(const Tensor& x, const Shape& shape, Strides& strides) {
  Shape old_shape;
  Strides old_strides;
  for (Size i = 0; i < x.rank(); ++i) {
    if (x.shape()[i] == 1) continue;
    old_shape.push_back(x.shape()[i]);
    old_strides.push_back(x.strides()[i]);
  }
  strides = Sizes::repeat(shape.size(), 1);
  Size i = 0, j = 0;
  while (i < old_shape.size() && j < shape.size()) {
    // The smallest group of old axes [i, end_i) and of new axes [j, end_j) with the same number of elements.
    Size end_i = i + 1, end_j = j + 1, old_count = old_shape[i], new_count = shape[j];
    while (old_count != new_count) {
      if (old_count < new_count) {
        old_count *= old_shape[end_i++];
      } else {
        new_count *= shape[end_j++];
      }
    }
    for (Size k = i; k + 1 < end_i; ++k) {
      if (old_strides[k] != old_strides[k + 1] * old_shape[k + 1]) return false;
    }
    Size step = old_strides[end_i - 1];
    for (Size k = end_j; k-- > j;) {
      strides[k] = step;
      step *= shape[k];
    }
    i = end_i;
    j = end_j;
  }
  return true;
}

}  // namespace

Shape resolved_shape(const Shape& from, const Shape& to) {
  const auto fail_counts = [&] {
    throw std::invalid_argument("reshape: " + text(from) + " has " + std::to_string(element_count(from)) +
                                " elements and does not become " + text(to));
  };
  Shape shape = to, others;
  Size open = -1;
  for (Size i = 0; i < to.size(); ++i) {
    if (to[i] < -1 || (to[i] == -1 && open >= 0)) fail_counts();
    if (to[i] == -1) open = i;
    if (to[i] >= 0) others.push_back(to[i]);
  }
  const Size known = element_count(others), count = element_count(from);
  if (open >= 0) {
    if (known == 0 || count % known != 0) fail_counts();
    shape[open] = count / known;
  } else if (known != count) {
    fail_counts();
  }
  return shape;
}

Tensor reshape(const Tensor& x, const Shape& wanted) {
  const Shape shape = resolved_shape(x.shape(), wanted);
  if (shape == x.shape()) return x;
  if (x.contiguous()) return x.view(shape, row_major(shape), 0);
  Strides strides;
  if (x.size() > 0 && view_strides(x, shape, strides)) return x.view(shape, strides, 0);
  return contiguous(x).view(shape, row_major(shape), 0);
}

Tensor permute(const Tensor& x, const Axes& order) {
  if (order.size() != x.rank()) fail("permute", x, " with the axes " + text(order) + "; each axis is named once");
  normal_axes("permute", order, x.rank());
  Shape shape;
  Strides strides;
  for (Size axis : order) {
    axis = normal_axis("permute", axis, x.rank());
    shape.push_back(x.shape()[axis]);
    strides.push_back(x.strides()[axis]);
  }
  return x.view(shape, strides, 0);
}

Tensor transpose(const Tensor& x) {
  if (x.rank() < 2) fail("transpose", x, " has fewer than two axes");
  Shape shape = x.shape();
  Strides strides = x.strides();
  std::swap(shape[x.rank() - 2], shape[x.rank() - 1]);
  std::swap(strides[x.rank() - 2], strides[x.rank() - 1]);
  return x.view(shape, strides, 0);
}

Tensor broadcast_to(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  if (!broadcasts_to(x.shape(), shape)) fail("broadcast_to", x, " to " + text(shape));
  const Size lead = shape.size() - x.rank();
  Strides strides = Sizes::repeat(shape.size(), 0);
  for (Size i = 0; i < x.rank(); ++i) {
    if (x.shape()[i] == shape[lead + i]) strides[lead + i] = x.strides()[i];
  }
  for (Size size : shape) {
    if (size < 0) fail("broadcast_to", x, " to " + text(shape));
  }
  return x.view(shape, strides, 0);
}

Tensor slice(const Tensor& x, Size axis, Size start, Size count, Size step) {
  axis = normal_axis("slice", axis, x.rank());
  const Size size = x.shape()[axis];
  Size last = 0;  // where it overflows, it lies on no axis
  const bool counted =
      count > 0 && !__builtin_mul_overflow(count - 1, step, &last) && !__builtin_add_overflow(start, last, &last);
  const bool inside = count == 0 || (counted && start >= 0 && start < size && last >= 0 && last < size);
  if (count < 0 || step == 0 || !inside) {
    fail("slice", x,
         ": " + std::to_string(count) + " elements from " + std::to_string(start) + " in steps of " +
             std::to_string(step) + " do not lie on axis " + std::to_string(axis));
  }
  Shape shape = x.shape();
  Strides strides = x.strides();
  shape[axis] = count;
  strides[axis] *= step;
  return x.view(shape, strides, count == 0 ? 0 : start * x.strides()[axis]);
}

Tensor flip(const Tensor& x, const Axes& axes) {
  Strides strides = x.strides();
  Size offset = 0;
  for (Size axis : normal_axes("flip", axes, x.rank())) {
    offset += std::max<Size>(0, x.shape()[axis] - 1) * strides[axis];
    strides[axis] = -strides[axis];
  }
  return x.view(x.shape(), strides, offset);
}

Tensor unsqueeze(const Tensor& x, Size axis) {
  axis = normal_axis("unsqueeze", axis, x.rank() + 1);
  Shape shape = x.shape();
  Strides strides = x.strides();
  shape.insert(axis, 1);
  strides.insert(axis, 1);
  return x.view(shape, strides, 0);
}

Tensor squeeze(const Tensor& x, const Axes& axes) {
  const Axes gone = normal_axes("squeeze", axes, x.rank());
  Shape shape;
  Strides strides;
  for (Size i = 0; i < x.rank(); ++i) {
    const bool drop = std::find(gone.begin(), gone.end(), i) != gone.end();
    if (drop && x.shape()[i] != 1) fail("squeeze", x, ": axis " + std::to_string(i) + " has not size 1");
    if (drop) continue;
    shape.push_back(x.shape()[i]);
    strides.push_back(x.strides()[i]);
  }
  return x.view(shape, strides, 0);
}

Tensor diagonal(const Tensor& x, Size a, Size b) {
  const Axes pair = normal_axes("diagonal", {a, b}, x.rank());
  if (x.shape()[pair[0]] != x.shape()[pair[1]]) {
    fail("diagonal", x, ": axes " + text(pair) + " have different sizes");
  }
  Shape shape = x.shape();
  Strides strides = x.strides();
  const Size count = shape[pair[0]], step = strides[pair[0]] + strides[pair[1]];
  for (Size axis : {pair[1], pair[0]}) {
    shape.erase(axis);
    strides.erase(axis);
  }
  shape.push_back(count);
  strides.push_back(step);
  return x.view(shape, strides, 0);
}

Tensor windows(const Tensor& x, Size axis, Size size, Size stride, Size dilation) {
  axis = normal_axis("windows", axis, x.rank());
  const Size length = x.shape()[axis];
  const bool positive = size >= 1 && stride >= 1 && dilation >= 1;
  // By division: (size − 1) · dilation may be more than a Size holds.
  if (!positive || length < 1 || size - 1 > (length - 1) / dilation) {
    fail("windows", x,
         ": " + std::to_string(size) + " elements " + std::to_string(dilation) + " apart, every " +
             std::to_string(stride) + ", do not fit axis " + std::to_string(axis) + " of length " +
             std::to_string(length));
  }
  Shape shape = x.shape();
  Strides strides = x.strides();
  const Size step = strides[axis];
  shape[axis] = (length - 1 - (size - 1) * dilation) / stride + 1;
  strides[axis] = shape[axis] > 1 ? step * stride : step;
  shape.push_back(size);
  strides.push_back(size > 1 ? step * dilation : step);
  return x.view(shape, strides, 0);
}

}  // namespace attend
