// Reading and adding at places that a tensor of indices names. Adding is an explicit loop: an index may come twice, and
// both contributions count.
#include <algorithm>

#include "tensor/cost.hpp"
#include "tensor/inner/dispatch.hpp"
#include "tensor/kernels.hpp"

namespace attend::kernel {
namespace {

// Throws unless ids are int64 and within 0 .. count − 1.
void check_indices(const char* op, const Tensor& ids, Size count) {
  if (ids.dtype() != DType::int64) {
    throw std::invalid_argument(std::string(op) + ": indices must be int64, not " + text(ids.dtype()) + " " +
                                text(ids.shape()));
  }
  const Tensor dense = contiguous(ids);
  const std::int64_t* first = dense.data<std::int64_t>();
  for (Size i = 0; i < ids.size(); ++i) {
    if (first[i] < 0 || first[i] >= count) {
      throw std::invalid_argument(std::string(op) + ": index " + std::to_string(first[i]) + " (element " +
                                  std::to_string(i) + " of " + text(ids.shape()) + ") is not within 0 .. " +
                                  std::to_string(count - 1));
    }
  }
}

Size product(const Shape& shape, Size first, Size last) {
  Size count = 1;
  for (Size i = first; i < last; ++i) count *= shape[i];
  return count;
}

Shape taken_shape(const Shape& shape, Size axis, const Shape& ids) {
  Shape out;
  for (Size i = 0; i < axis; ++i) out.push_back(shape[i]);
  for (Size size : ids) out.push_back(size);
  for (Size i = axis + 1; i < shape.size(); ++i) out.push_back(shape[i]);
  return out;
}

Tensor copy_of(const Tensor& x) {
  const Tensor dense = contiguous(x);
  Tensor out = Tensor::uninitialized(x.shape(), x.dtype());
  by_dtype(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    std::copy(dense.data<T>(), dense.data<T>() + x.size(), out.writable<T>());
  });
  return out;
}

void check_gather(const char* op, const Tensor& x, Size axis, const Tensor& index) {
  bool fits = index.rank() == x.rank();
  for (Size i = 0; fits && i < x.rank(); ++i) fits = i == axis || index.shape()[i] == x.shape()[i];
  if (!fits) {
    throw std::invalid_argument(std::string(op) + ": index " + text(index.shape()) + " for " + text(x.shape()) +
                                "; the shapes agree on every axis but " + std::to_string(axis));
  }
  check_indices(op, index, x.shape()[axis]);
}

// Calls f(place in x, place in index) for every element of the index; both tensors are row-major.
template <class F>
void each_place(const Tensor& x, Size axis, const Tensor& index, F f) {
  const std::int64_t* ids = index.data<std::int64_t>();
  const Size inner = product(x.shape(), axis + 1, x.rank()), length = x.shape()[axis], count = index.shape()[axis];
  for (Size i = 0; i < index.size(); ++i) {
    const Size outer = i / (inner * count);
    f((outer * length + ids[i]) * inner + i % inner, i);
  }
}

}  // namespace

Tensor take(const Tensor& x_, Size axis, const Tensor& ids_, const char* op) {
  axis = normal_axis(op, axis, x_.rank());
  const Size length = x_.shape()[axis];
  check_indices(op, ids_, length);
  const Tensor x = contiguous(x_), ids = contiguous(ids_);
  Tensor out = Tensor::uninitialized(taken_shape(x.shape(), axis, ids.shape()), x.dtype());
  note_cost(op, {0, out.size() * width(x.dtype()) + ids.size() * 8, out.size() * width(x.dtype())});
  const Size outer = product(x.shape(), 0, axis), inner = product(x.shape(), axis + 1, x.rank()), count = ids.size();
  by_dtype(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = x.data<T>();
    T* to = out.writable<T>();
    const std::int64_t* rows = ids.data<std::int64_t>();
    for (Size o = 0; o < outer; ++o) {
      for (Size i = 0; i < count; ++i) {
        const T* row = from + (o * length + rows[i]) * inner;
        std::copy(row, row + inner, to + (o * count + i) * inner);
      }
    }
  });
  return out;
}

Tensor index_add(const Tensor& x, Size axis, const Tensor& ids_, const Tensor& src_) {
  check_floating("index_add", x);
  check_same_dtype("index_add", x, src_);
  if (is_half(x.dtype())) return rounded(index_add(widened(x), axis, ids_, widened(src_)), x.dtype());
  axis = normal_axis("index_add", axis, x.rank());
  const Size length = x.shape()[axis];
  check_indices("index_add", ids_, length);
  if (src_.shape() != taken_shape(x.shape(), axis, ids_.shape())) {
    throw std::invalid_argument("index_add: source " + text(src_.shape()) + " for " + text(x.shape()) + " at indices " +
                                text(ids_.shape()) + " on axis " + std::to_string(axis) + "; it must be " +
                                text(taken_shape(x.shape(), axis, ids_.shape())));
  }
  const Tensor ids = contiguous(ids_), src = contiguous(src_);
  Tensor out = copy_of(x);
  note_cost("index_add", {0, (x.size() + src.size()) * width(x.dtype()) + ids.size() * 8, x.size() * width(x.dtype())});
  const Size outer = product(x.shape(), 0, axis), inner = product(x.shape(), axis + 1, x.rank()), count = ids.size();
  by_floating("index_add", x, [&](auto zero) {
    using T = decltype(zero);
    T* to = out.writable<T>();
    const T* from = src.data<T>();
    const std::int64_t* rows = ids.data<std::int64_t>();
    for (Size o = 0; o < outer; ++o) {
      for (Size i = 0; i < count; ++i) {
        T* row = to + (o * length + rows[i]) * inner;
        for (Size j = 0; j < inner; ++j) row[j] += from[(o * count + i) * inner + j];
      }
    }
  });
  return out;
}

Tensor gather(const Tensor& x_, Size axis, const Tensor& index_) {
  axis = normal_axis("gather", axis, x_.rank());
  check_gather("gather", x_, axis, index_);
  const Tensor x = contiguous(x_), index = contiguous(index_);
  Tensor out = Tensor::uninitialized(index.shape(), x.dtype());
  note_cost("gather", {0, out.size() * (width(x.dtype()) + 8), out.size() * width(x.dtype())});
  by_dtype(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = x.data<T>();
    T* to = out.writable<T>();
    each_place(x, axis, index, [=](Size place, Size i) { to[i] = from[place]; });
  });
  return out;
}

Tensor scatter_add(const Tensor& x, Size axis, const Tensor& index_, const Tensor& src_) {
  check_floating("scatter_add", x);
  check_same_dtype("scatter_add", x, src_);
  if (is_half(x.dtype())) return rounded(scatter_add(widened(x), axis, index_, widened(src_)), x.dtype());
  axis = normal_axis("scatter_add", axis, x.rank());
  check_gather("scatter_add", x, axis, index_);
  if (src_.shape() != index_.shape()) {
    throw std::invalid_argument("scatter_add: source " + text(src_.shape()) + " for index " + text(index_.shape()));
  }
  const Tensor index = contiguous(index_), src = contiguous(src_);
  Tensor out = copy_of(x);
  note_cost("scatter_add",
            {0, x.size() * width(x.dtype()) + src.size() * (width(x.dtype()) + 8), x.size() * width(x.dtype())});
  by_floating("scatter_add", x, [&](auto zero) {
    using T = decltype(zero);
    T* to = out.writable<T>();
    const T* from = src.data<T>();
    each_place(out, axis, index, [=](Size place, Size i) { to[place] += from[i]; });
  });
  return out;
}

Tensor one_hot(const Tensor& ids_, Size classes, DType dtype) {
  check_indices("one_hot", ids_, classes);
  const Tensor ids = contiguous(ids_);
  Shape shape = ids.shape();
  shape.push_back(classes);
  Tensor out = Tensor::zeros(shape, dtype);
  by_dtype(dtype, [&](auto zero) {
    using T = decltype(zero);
    for (Size i = 0; i < ids.size(); ++i) out.writable<T>()[i * classes + ids.data<std::int64_t>()[i]] = T(1);
  });
  return out;
}

}  // namespace attend::kernel
