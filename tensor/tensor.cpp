#include "tensor/tensor.hpp"

#include <algorithm>
#include <stdexcept>

#include "tensor/inner/dispatch.hpp"
#include "tensor/inner/run.hpp"
#include "tensor/memory.hpp"

template class std::vector<attend::Tensor>;

namespace attend {
namespace {

bool is_contiguous(const Shape& shape, const Strides& strides) {
  Size step = 1;
  for (Size i = shape.size(); i-- > 0;) {
    if (shape[i] != 1 && strides[i] != step) return false;
    step *= shape[i];
  }
  return true;
}

std::shared_ptr<const Layout> recycled(const Layout& layout) {
  return std::allocate_shared<const Layout>(Recycling<Layout>(), layout);
}

std::shared_ptr<const Layout> make_layout(const Shape& shape, const Strides& strides, DType dtype) {
  return recycled({shape, strides, dtype, element_count(shape), is_contiguous(shape, strides)});
}

// Strides of a dense tensor whose axes lie in memory as the strides `order` have them, the largest outermost.
Strides dense_strides(const Shape& shape, const Strides& order) {
  Axes axes = all_axes(shape.size());
  std::stable_sort(axes.begin(), axes.end(), [&](Size i, Size j) { return order[i] > order[j]; });
  Strides strides = row_major(shape);
  Size step = 1;
  for (Size i = shape.size(); i-- > 0;) {
    strides[axes[i]] = step;
    step *= std::max<Size>(1, shape[axes[i]]);
  }
  return strides;
}

// Strides of a dense tensor with the axes in the memory order of `model`; row-major where the model is not dense.
Strides dense_strides_like(const Tensor& model) {
  const Shape& shape = model.shape();
  const Strides strides = dense_strides(shape, model.strides());
  for (Size axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] != 1 && model.strides()[axis] != strides[axis]) return row_major(shape);
  }
  return strides;
}

void check_count(std::size_t values, const Shape& shape) {
  for (Size size : shape) {
    if (size < 0) throw std::invalid_argument("tensor: negative size in shape " + text(shape));
  }
  if (static_cast<Size>(values) == element_count(shape)) return;
  throw std::invalid_argument("tensor: " + std::to_string(values) + " values for shape " + text(shape));
}

template <class Values>
Tensor filled(const Values& values, const Shape& shape, DType dtype) {
  check_count(values.size(), shape);
  Tensor tensor = Tensor::uninitialized(shape, dtype);
  by_dtype(dtype, [&](auto zero) {
    using T = decltype(zero);
    std::transform(values.begin(), values.end(), tensor.writable<T>(),
                   [](auto value) { return static_cast<T>(value); });
  });
  return tensor;
}

template <class To>
std::vector<To> elements(const Tensor& x) {
  const Tensor dense = contiguous(x);
  return by_dtype(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* first = dense.data<T>();
    std::vector<To> values(static_cast<std::size_t>(x.size()));
    std::transform(first, first + x.size(), values.begin(), [](T value) { return static_cast<To>(value); });
    return values;
  });
}

}  // namespace

const char* text(DType dtype) {
  switch (dtype) {
    case DType::float32:
      return "float32";
    case DType::float64:
      return "float64";
    case DType::float16:
      return "float16";
    case DType::bfloat16:
      return "bfloat16";
    case DType::int64:
      return "int64";
    case DType::boolean:
      break;
  }
  return "bool";
}

Size width(DType dtype) {
  return by_dtype(dtype, [](auto zero) { return static_cast<Size>(sizeof(zero)); });
}

Tensor Tensor::uninitialized(const Shape& shape, DType dtype) {
  for (Size size : shape) {
    if (size < 0) throw std::invalid_argument("tensor: negative size in shape " + text(shape));
  }
  const Size size = element_count(shape);  // throws before anything is multiplied that cannot be counted
  return with_layout(recycled({shape, row_major(shape), dtype, size, true}));
}

Tensor Tensor::uninitialized_like(const Tensor& model, DType dtype) {
  if (!model.contiguous() || model.dtype() != dtype) {
    return with_layout(make_layout(model.shape(), dense_strides_like(model), dtype));
  }
  return with_layout(model.layout_);
}

Tensor Tensor::uninitialized_in_order(const Shape& shape, const Strides& order, DType dtype) {
  return with_layout(make_layout(shape, dense_strides(shape, order), dtype));
}

Tensor Tensor::with_layout(std::shared_ptr<const Layout> layout) {
  Tensor tensor;
  tensor.layout_ = std::move(layout);
  tensor.block_ = new_block(static_cast<std::size_t>(std::max<Size>(1, tensor.size()) * width(tensor.dtype())));
  tensor.first_ = tensor.block_.get();
  return tensor;
}

Size Tensor::block_bytes() const { return block_ ? static_cast<Size>(attend::block_bytes(block_)) : 0; }

Tensor Tensor::full(const Shape& shape, double value, DType dtype) {
  Tensor tensor = uninitialized(shape, dtype);
  by_dtype(dtype, [&](auto zero) {
    using T = decltype(zero);
    std::fill(tensor.writable<T>(), tensor.writable<T>() + tensor.size(), static_cast<T>(value));
  });
  return tensor;
}

Tensor Tensor::from(const std::vector<double>& values, const Shape& shape, DType dtype) {
  return filled(values, shape, dtype);
}
Tensor Tensor::from_ints(const std::vector<std::int64_t>& values, const Shape& shape) {
  return filled(values, shape, DType::int64);
}
Tensor Tensor::from_bools(const std::vector<bool>& values, const Shape& shape) {
  return filled(values, shape, DType::boolean);
}

Tensor Tensor::arange(Size n) {
  Tensor tensor = uninitialized({n}, DType::int64);
  for (Size i = 0; i < n; ++i) tensor.writable<std::int64_t>()[i] = i;
  return tensor;
}

double Tensor::item() const {
  if (size() != 1) throw std::invalid_argument("item: shape " + text(shape()) + " has not exactly one element");
  return to_vector()[0];
}

double Tensor::at(const Axes& index) const {
  if (index.size() != rank()) throw std::invalid_argument("at: index " + text(index) + " for shape " + text(shape()));
  Size offset = 0;
  for (Size i = 0; i < rank(); ++i) {
    const Size n = shape()[i], k = index[i] < 0 ? index[i] + n : index[i];
    if (k < 0 || k >= n) throw std::invalid_argument("at: index " + text(index) + " for shape " + text(shape()));
    offset += k * strides()[i];
  }
  return by_dtype(dtype(), [&](auto zero) { return static_cast<double>(data<decltype(zero)>()[offset]); });
}

std::vector<double> Tensor::to_vector() const { return elements<double>(*this); }
std::vector<std::int64_t> Tensor::to_ints() const { return elements<std::int64_t>(*this); }

Tensor Tensor::view(const Shape& shape, const Strides& strides, Size offset) const {
  Tensor tensor;
  tensor.layout_ = make_layout(shape, strides, dtype());
  tensor.block_ = block_;
  tensor.first_ = static_cast<char*>(first_) + offset * width(dtype());
  return tensor;
}

Tensor Tensor::without_data() const {
  Tensor tensor;
  tensor.layout_ = layout_;
  return tensor;
}

void Tensor::fail_undefined() {
  throw std::invalid_argument(
      "tensor: undefined: a Tensor or Var that was never given a value, such as the bias of a layer without one; "
      "ask defined() first");
}

void Tensor::fail_unreadable(DType wanted) const {
  if (!layout_) fail_undefined();
  if (!block_) throw std::logic_error("a derivative rule reads a value that its node did not keep");
  throw std::logic_error(std::string("the elements are ") + text(dtype()) + ", not " + text(wanted));
}

Tensor contiguous(const Tensor& x) {
  if (x.contiguous()) return x;
  Tensor out = Tensor::uninitialized(x.shape(), x.dtype());
  const Plan loop = plan(x.shape(), {out.strides(), x.strides()});
  by_dtype(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* to = out.writable<T>();
    const T* from = x.data<T>();
    const Size count = loop.run_length(), to_stride = loop.run_stride(0), from_stride = loop.run_stride(1);
    parallel_runs(loop,
                  [&](auto& offset) { copy_run(from + offset[1], from_stride, to + offset[0], to_stride, count); });
  });
  return out;
}

void check_same_dtype(const char* op, const Tensor& a, const Tensor& b) {
  if (a.dtype() == b.dtype()) return;
  throw std::invalid_argument(std::string(op) + ": " + text(a.dtype()) + " and " + text(b.dtype()) +
                              " operands: " + text(a.shape()) + " and " + text(b.shape()));
}

void check_floating(const char* op, const Tensor& x) {
  if (is_floating(x.dtype())) return;
  throw std::invalid_argument(std::string(op) + ": needs a floating-point dtype, not " + text(x.dtype()) + " " +
                              text(x.shape()));
}

}  // namespace attend
