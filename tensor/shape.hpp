// Shapes, strides and lists of axes: at most eight numbers, held inline, because a shape must cost no allocation.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <string>

namespace attend {

/// Every size, index and axis of a public signature: signed, so that −1 is −1.
using Size = std::ptrdiff_t;

/// The largest number of axes of a tensor.
constexpr Size max_rank = 8;

/// A list of up to eight sizes. Throws std::invalid_argument when a ninth is added.
class Sizes {
 public:
  Sizes() = default;
  Sizes(std::initializer_list<Size> values) {
    for (Size value : values) push_back(value);
  }
  /// `count` times `value`.
  static Sizes repeat(Size count, Size value);

  void push_back(Size value) {
    if (count_ == max_rank) fail_full();
    values_[count_++] = value;
  }
  void insert(Size position, Size value);
  void erase(Size position);

  Size size() const { return count_; }
  bool empty() const { return count_ == 0; }
  Size& operator[](Size i) { return values_[i]; }
  const Size& operator[](Size i) const { return values_[i]; }
  Size& back() { return values_[count_ - 1]; }
  const Size& back() const { return values_[count_ - 1]; }
  Size* begin() { return values_; }
  Size* end() { return values_ + count_; }
  const Size* begin() const { return values_; }
  const Size* end() const { return values_ + count_; }

  friend bool operator==(const Sizes& a, const Sizes& b) {
    if (a.count_ != b.count_) return false;
    for (Size i = 0; i < a.count_; ++i) {
      if (a.values_[i] != b.values_[i]) return false;
    }
    return true;
  }
  friend bool operator!=(const Sizes& a, const Sizes& b) { return !(a == b); }

 private:
  [[noreturn]] void fail_full() const;

  Size values_[max_rank];
  Size count_ = 0;
};

using Shape = Sizes;
using Strides = Sizes;
using Axes = Sizes;

/// What element_count throws.
[[noreturn]] void fail_to_count(const Shape& shape);

/// The number of elements: the product of the sizes, 1 for the empty shape. Throws std::invalid_argument when those
/// that are not 0 multiply to more than 2⁵⁹: the bytes of such a tensor could not be counted.
inline Size element_count(const Shape& shape) {
  constexpr Size most = Size{1} << 59;
  Size count = 1;
  bool empty = false, fits = true;
  for (Size size : shape) {
    empty = empty || size == 0;
    fits = fits && !__builtin_mul_overflow(count, size == 0 ? 1 : size, &count) && count <= most;
  }
  if (!fits) fail_to_count(shape);
  return empty ? 0 : count;
}

/// "[2, 3]", the form in which every error message shows a shape.
std::string text(const Sizes& sizes);

/// The axis counted from the front. Throws std::invalid_argument when −rank <= axis < rank does not hold.
Size normal_axis(const char* op, Size axis, Size rank);

/// The axes counted from the front, sorted. Throws std::invalid_argument for an axis out of range or named twice.
Axes normal_axes(const char* op, const Axes& axes, Size rank);

/// 0, 1, ..., rank − 1.
Axes all_axes(Size rank);

/// The shape with size 1 on the given (normal) axes, or without them.
Shape reduced_shape(const Shape& shape, const Axes& axes, bool keep_dims);

/// The sizes before those of the matrices [..., rows, columns], and such sizes with matrices behind them.
Shape batch_shape(const Shape& matrices);
Shape with_matrix(Shape batch, Size rows, Size columns);

/// The common shape of two operands, as in NumPy. Throws std::invalid_argument naming both shapes.
Shape broadcast_shape(const char* op, const Shape& a, const Shape& b);
/// Whether broadcasting makes `wide` of `narrow`.
bool broadcasts_to(const Shape& narrow, const Shape& wide);

/// The strides of a dense tensor whose last axis runs fastest.
Strides row_major(const Shape& shape);

}  // namespace attend
