#include "tensor/shape.hpp"

#include <algorithm>
#include <stdexcept>

namespace attend {

Sizes Sizes::repeat(Size count, Size value) {
  Sizes sizes;
  for (Size i = 0; i < count; ++i) sizes.push_back(value);
  return sizes;
}

void Sizes::fail_full() const {
  throw std::invalid_argument("shape: more than 8 axes: " + text(*this) + " and one more");
}

void Sizes::insert(Size position, Size value) {
  if (count_ == max_rank) fail_full();
  std::copy_backward(values_ + position, values_ + count_, values_ + count_ + 1);
  values_[position] = value;
  ++count_;
}

void Sizes::erase(Size position) {
  std::copy(values_ + position + 1, values_ + count_, values_ + position);
  --count_;
}

void fail_to_count(const Shape& shape) {
  throw std::invalid_argument("shape: " + text(shape) + " has too many elements to be counted");
}

std::string text(const Sizes& sizes) {
  std::string out = "[";
  for (Size i = 0; i < sizes.size(); ++i) out += (i ? ", " : "") + std::to_string(sizes[i]);
  return out + "]";
}

Size normal_axis(const char* op, Size axis, Size rank) {
  if (axis < -rank || axis >= rank) {
    throw std::invalid_argument(std::string(op) + ": axis " + std::to_string(axis) + " of a tensor with " +
                                std::to_string(rank) + " axes");
  }
  return axis < 0 ? axis + rank : axis;
}

Axes normal_axes(const char* op, const Axes& axes, Size rank) {
  Axes normal;
  for (Size axis : axes) normal.push_back(normal_axis(op, axis, rank));
  std::sort(normal.begin(), normal.end());
  if (std::adjacent_find(normal.begin(), normal.end()) != normal.end()) {
    throw std::invalid_argument(std::string(op) + ": axes " + text(axes) + " name one axis twice");
  }
  return normal;
}

Axes all_axes(Size rank) {
  Axes axes;
  for (Size i = 0; i < rank; ++i) axes.push_back(i);
  return axes;
}

Shape reduced_shape(const Shape& shape, const Axes& axes, bool keep_dims) {
  Shape reduced;
  for (Size i = 0; i < shape.size(); ++i) {
    const bool gone = std::find(axes.begin(), axes.end(), i) != axes.end();
    if (!gone) reduced.push_back(shape[i]);
    if (gone && keep_dims) reduced.push_back(1);
  }
  return reduced;
}

Shape batch_shape(const Shape& matrices) {
  const Size rank = matrices.size();
  return reduced_shape(matrices, {rank - 2, rank - 1}, false);
}

Shape with_matrix(Shape batch, Size rows, Size columns) {
  batch.push_back(rows);
  batch.push_back(columns);
  return batch;
}

Shape broadcast_shape(const char* op, const Shape& a, const Shape& b) {
  const Size rank = std::max(a.size(), b.size());
  Shape shape;
  for (Size i = 0; i < rank; ++i) {
    const Size in_a = i - (rank - a.size()), in_b = i - (rank - b.size());
    const Size size_a = in_a < 0 ? 1 : a[in_a], size_b = in_b < 0 ? 1 : b[in_b];
    if (size_a != size_b && size_a != 1 && size_b != 1) {
      throw std::invalid_argument(std::string(op) + ": shapes do not broadcast: " + text(a) + " and " + text(b));
    }
    shape.push_back(size_a == 1 ? size_b : size_a);
  }
  return shape;
}

bool broadcasts_to(const Shape& narrow, const Shape& wide) {
  const Size lead = wide.size() - narrow.size();
  if (lead < 0) return false;
  for (Size i = 0; i < narrow.size(); ++i) {
    if (narrow[i] != wide[lead + i] && narrow[i] != 1) return false;
  }
  return true;
}

Strides row_major(const Shape& shape) {
  Strides strides = Sizes::repeat(shape.size(), 0);
  Size step = 1;
  for (Size i = shape.size(); i-- > 0;) {
    strides[i] = step;
    step *= shape[i];
  }
  return strides;
}

}  // namespace attend
