// Tensor: numbers, without derivatives. See autograd/var.hpp for numbers that remember how they were made.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tensor/half.hpp"
#include "tensor/shape.hpp"

namespace attend {

/// The type of an element. float32 to train, float64 to check; float16 and bfloat16 to remember a training in half the
/// memory, see autograd/autocast.hpp; int64 holds indices and boolean holds masks, and neither ever carries a
/// derivative.
enum class DType : unsigned char { float32, float64, float16, bfloat16, int64, boolean };

/// "float32", "float64", "float16", "bfloat16", "int64", "bool".
const char* text(DType dtype);
/// Bytes per element.
Size width(DType dtype);
/// float16 and bfloat16, which kernels store, and compute with as float32.
inline bool is_half(DType dtype) { return dtype == DType::float16 || dtype == DType::bfloat16; }
inline bool is_floating(DType dtype) { return dtype == DType::float32 || dtype == DType::float64 || is_half(dtype); }

/// The DType of a C++ element type.
template <class T>
constexpr DType dtype_of();
template <>
constexpr DType dtype_of<float>() {
  return DType::float32;
}
template <>
constexpr DType dtype_of<double>() {
  return DType::float64;
}
template <>
constexpr DType dtype_of<Float16>() {
  return DType::float16;
}
template <>
constexpr DType dtype_of<BFloat16>() {
  return DType::bfloat16;
}
template <>
constexpr DType dtype_of<std::int64_t>() {
  return DType::int64;
}
template <>
constexpr DType dtype_of<bool>() {
  return DType::boolean;
}

/// Shape, strides (in elements) and element type: immutable, and shared by all tensors of the same form.
struct Layout {
  Shape shape;
  Strides strides;
  DType dtype;
  Size size;        // number of elements
  bool contiguous;  // dense, the last axis fastest
};

/// An immutable array of numbers. It is three pointers, to its layout, its block of memory and its first element, so a
/// copy is cheap and a view (reshape, permute, slice, ...) shares the block.
class Tensor {
 public:
  /// No tensor at all: `defined()` is false, and asking for a shape, a dtype or numbers throws std::invalid_argument.
  Tensor() = default;

  /// Row-major tensors. `from` throws std::invalid_argument when the count of values and the shape disagree.
  static Tensor full(const Shape& shape, double value, DType dtype = DType::float32);
  static Tensor zeros(const Shape& shape, DType dtype = DType::float32) { return full(shape, 0, dtype); }
  static Tensor ones(const Shape& shape, DType dtype = DType::float32) { return full(shape, 1, dtype); }
  static Tensor from(const std::vector<double>& values, const Shape& shape, DType dtype = DType::float32);
  static Tensor from_ints(const std::vector<std::int64_t>& values, const Shape& shape);
  static Tensor from_bools(const std::vector<bool>& values, const Shape& shape);
  /// 0, 1, ..., n − 1 as int64.
  static Tensor arange(Size n);

  bool defined() const { return layout_ != nullptr; }
  const Shape& shape() const { return layout().shape; }
  const Strides& strides() const { return layout().strides; }
  DType dtype() const { return layout().dtype; }
  Size size() const { return layout().size; }
  Size rank() const { return layout().shape.size(); }
  bool contiguous() const { return layout().contiguous; }

  /// The only element, as a double. Throws std::invalid_argument when there is not exactly one.
  double item() const;
  /// One element by its index from the front or, negative, from the end. Throws std::invalid_argument out of range.
  double at(const Axes& index) const;
  /// All elements in row-major order.
  std::vector<double> to_vector() const;
  std::vector<std::int64_t> to_ints() const;

  // What follows is for kernels and for the engine.

  /// Row-major, with unwritten elements.
  static Tensor uninitialized(const Shape& shape, DType dtype);
  /// The shape of `model` and its memory order where it is dense, with unwritten elements.
  static Tensor uninitialized_like(const Tensor& model, DType dtype);
  /// Dense, with unwritten elements and with the axes in memory as the strides `order` would have them.
  static Tensor uninitialized_in_order(const Shape& shape, const Strides& order, DType dtype);
  /// Another window onto the same block; `offset` counts elements from this tensor's first.
  Tensor view(const Shape& shape, const Strides& strides, Size offset) const;
  /// The layout alone: what the history of an op keeps of a tensor that no rule reads.
  Tensor without_data() const;
  bool has_data() const { return block_ != nullptr; }
  /// Whether both are windows onto one block.
  bool shares_block(const Tensor& other) const { return block_ && block_ == other.block_; }
  /// What tells blocks apart, and how many bytes of memory this tensor holds by its window: those of the whole block.
  /// Null and 0 without data.
  const void* block() const { return block_.get(); }
  Size block_bytes() const;

  template <class T>
  const T* data() const {
    check_readable(dtype_of<T>());
    return static_cast<const T*>(first_);
  }
  /// For a kernel that fills a tensor it has just made.
  template <class T>
  T* writable() {
    return static_cast<T*>(first_);
  }

 private:
  static Tensor with_layout(std::shared_ptr<const Layout> layout);
  void check_readable(DType wanted) const {
    if (!block_ || layout_->dtype != wanted) fail_unreadable(wanted);
  }
  [[noreturn]] void fail_unreadable(DType wanted) const;
  const Layout& layout() const {
    if (!layout_) fail_undefined();
    return *layout_;
  }
  [[noreturn]] static void fail_undefined();

  std::shared_ptr<const Layout> layout_;
  std::shared_ptr<void> block_;
  void* first_ = nullptr;
};

/// A row-major tensor of the same numbers: x itself where it is one already.
Tensor contiguous(const Tensor& x);

// Views: they share the memory of x. Each throws std::invalid_argument, with the shapes, for arguments that do not fit.

/// The same elements in row-major order in another shape; one size may be −1. Copies when no view can do it.
Tensor reshape(const Tensor& x, const Shape& shape);
/// Axis i of the result is axis order[i] of x.
Tensor permute(const Tensor& x, const Axes& order);
/// The last two axes exchanged.
Tensor transpose(const Tensor& x);
/// Repeats axes of size 1, and new leading axes, with stride 0.
Tensor broadcast_to(const Tensor& x, const Shape& shape);
/// `count` elements of one axis from `start` on, `step` apart; a negative step walks backwards.
Tensor slice(const Tensor& x, Size axis, Size start, Size count, Size step = 1);
/// The given axes in reverse.
Tensor flip(const Tensor& x, const Axes& axes);
/// A new axis of size 1 at the place `axis` of the result.
Tensor unsqueeze(const Tensor& x, Size axis);
/// Without the given axes of size 1.
Tensor squeeze(const Tensor& x, const Axes& axes);
/// The elements with equal index on axes a and b; that index becomes the last axis.
Tensor diagonal(const Tensor& x, Size a, Size b);

/// Windows that slide along one axis: element k of window i is x[.., i · stride + k · dilation, ..]. The axis becomes
/// the windows, and a new last axis holds the `size` elements of each; windows overlap in memory, and nothing is
/// copied.
Tensor windows(const Tensor& x, Size axis, Size size, Size stride = 1, Size dilation = 1);

/// The shape that `reshape` makes of x: −1 resolved. Throws std::invalid_argument when the counts differ.
Shape resolved_shape(const Shape& from, const Shape& to);

/// Throws std::invalid_argument "op: float32 and float64 operands: [2] and [3]" when the dtypes differ.
void check_same_dtype(const char* op, const Tensor& a, const Tensor& b);
/// Throws std::invalid_argument when x holds int64 or bool.
void check_floating(const char* op, const Tensor& x);

}  // namespace attend

extern template class std::vector<attend::Tensor>;  // compiled once, in tensor.cpp
