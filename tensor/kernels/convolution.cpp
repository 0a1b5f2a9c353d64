// Convolution as matrix products. Under every window stand K = C · u · v numbers; written one below the other they are
// a column, and all windows of an image are a matrix [K, N]. With the weight as a matrix W [O, K],
//   y = W · columns        gradient of columns = Wᵀ · g        gradient of Wᵀ = columns · gᵀ
// for each image and each group of channels. The columns are never all there: some rows of one image at a time, as many
// as stay in the cache until BLAS has read them.
#include <algorithm>
#include <limits>
#include <vector>

#include "tensor/cost.hpp"
#include "tensor/inner/direct.hpp"
#include "tensor/inner/dispatch.hpp"
#include "tensor/inner/simd.hpp"
#include "tensor/inner/walk.hpp"
#include "tensor/inner/xblas.hpp"
#include "tensor/kernels.hpp"

namespace attend {

void check_fits(const char* op, const Shape& x, const Shape& weight, const Convolution& how) {
  const auto [stride, padding, dilation, groups] = how;
  constexpr Size largest = std::numeric_limits<Size>::max();
  bool fits = stride >= 1 && padding >= 0 && dilation >= 1 && groups >= 1 && x.size() == weight.size();
  fits = fits && x.size() >= 3 && weight[0] % groups == 0 && x[1] % groups == 0 && weight[1] == x[1] / groups;
  for (Size axis = 2; fits && axis < x.size(); ++axis) {
    const Size kernel = weight[axis], length = padding <= (largest - x[axis]) / 2 ? x[axis] + 2 * padding : 0;
    fits = kernel >= 1 && length >= 1 && kernel - 1 <= (length - 1) / dilation;  // (kernel − 1) · dilation may overflow
  }
  if (fits) return;
  throw std::invalid_argument(std::string(op) + ": x " + text(x) + " does not fit the weight " + text(weight) +
                              " with stride " + std::to_string(stride) + ", padding " + std::to_string(padding) +
                              ", dilation " + std::to_string(dilation) + " and " + std::to_string(groups) + " groups");
}

namespace kernel {
namespace {

// Every row of the matrix of columns for `count` rows of the result: body(place in the padded image, place in the
// matrix), where `count` rows of the image begin. The padded image has `plane` numbers a channel.
template <class Body>
void each_row_of_columns(const Walk& walk, Size count, Size plane, Body body) {
  Size at = 0;
  for (Size c = 0; c < walk.C; ++c) {
    for (Size u = 0; u < walk.u; ++u) {
      for (Size v = 0; v < walk.v; ++v, at += count * walk.columns) {
        body(c * plane + u * walk.dilation * walk.padded_width() + v * walk.dilation, at);
      }
    }
  }
}

// `count` rows of `columns` numbers that are `stride` apart, from an image of rows `width` apart, one behind the other.
// Whole vectors are written, the last one of each row first: what it writes into the next row is written over.
template <class T>
void take_rows(const T* from, Size width, Size stride, T* to, Size columns, Size count) {
  constexpr Size step = simd::lanes<T>();
  if (stride > 1) {
    for (Size i = 0; i < count; ++i) {
      for (Size j = 0; j < columns; ++j) to[i * columns + j] = from[i * stride * width + j * stride];
    }
    return;
  }
  for (Size j = (columns - 1) / step * step; j >= 0; j -= step) {
    for (Size i = 0; i < count; ++i) {
      simd::Batch<T>::load_unaligned(from + i * width + j).store_unaligned(to + i * columns + j);
    }
  }
}

// The transpose: adds such rows to the image where they would be read.
template <class T>
void add_rows(const T* from, Size columns, Size count, T* to, Size width, Size stride) {
  if (stride > 1) {
    for (Size i = 0; i < count; ++i) {
      for (Size j = 0; j < columns; ++j) to[i * stride * width + j * stride] += from[i * columns + j];
    }
    return;
  }
  using Batch = simd::Batch<T>;
  constexpr Size step = simd::lanes<T>();
  T place[step];
  for (Size j = 0; j < step; ++j) place[j] = static_cast<T>(j);
  for (Size j = 0; j < columns; j += step) {
    const auto within = Batch::load_unaligned(place) < Batch(static_cast<T>(columns - j));  // and not of the next row
    for (Size i = 0; i < count; ++i) {
      T* sum = to + i * width + j;
      const Batch some = xsimd::select(within, Batch::load_unaligned(from + i * columns + j), Batch(T(0)));
      (Batch::load_unaligned(sum) + some).store_unaligned(sum);
    }
  }
}

// A matrix in memory, whose rows lie `row` apart.
template <class T>
struct Matrix {
  T* first;
  Size row;
};

// The matrices of columns [K, part.count · columns] of x, one part of the result after the other.
template <class T>
class Columns {
 public:
  // x is contiguous where the walk is pointwise: then it is the matrix itself.
  Columns(const Walk& walk, const Tensor& x) : walk_(walk), x_(x), padded_(padded_size()), columns_(columns_size()) {}

  Matrix<const T> of(const Rows& part) {
    Image<const T> from = image_of<T>(x_, part.image, part.group * walk_.C);
    if (walk_.pointwise()) return {from.first + part.first * walk_.columns, walk_.N()};
    const Size width = walk_.padded_width(), rows = walk_.padded_rows(part.count), plane = rows * width;
    // The row of x that is row 0 here; negative in the padding.
    const Size above = part.first * walk_.stride - walk_.above;
    const Size first = std::clamp<Size>(above, 0, walk_.H), last = std::clamp<Size>(above + rows, 0, walk_.H);
    std::fill_n(padded_.data(), walk_.C * plane, T(0));
    from.first += first * from.row;
    const Image<T> to{padded_.data() + (first - above) * width + walk_.left, plane, width, 1};
    copy(from, to, walk_.C, last - first, walk_.W);
    each_row_of_columns(walk_, part.count, plane, [&](Size place, Size at) {
      take_rows(padded_.data() + place, width, walk_.stride, columns_.data() + at, walk_.columns, part.count);
    });
    return {columns_.data(), part.count * walk_.columns};
  }

 private:
  Size padded_size() const {
    return walk_.pointwise() ? 0 : walk_.C * walk_.padded_rows(walk_.rows_at_once()) * walk_.padded_width();
  }
  Size columns_size() const { return walk_.pointwise() ? 0 : walk_.K() * walk_.rows_at_once() * walk_.columns; }

  const Walk& walk_;
  const Tensor& x_;
  Scratch<T> padded_, columns_;
};

// The transpose: an image [C, H, W] of the gradient of x, from the gradients of its matrices of columns.
template <class T>
class SummedColumns {
 public:
  explicit SummedColumns(const Walk& walk)
      : walk_(walk),
        padded_(walk.pointwise() ? 0 : walk.C * plane()),
        columns_(walk.pointwise() ? 0 : columns_size()) {}

  // `to`: where the image is to stand.
  void begin(T* to) {
    to_ = to;
    if (!walk_.pointwise()) std::fill_n(padded_.data(), walk_.C * plane(), T(0));
  }
  // Where the gradient of a part's columns is to be written, before it is added.
  Matrix<T> room(const Rows& part) {
    if (walk_.pointwise()) return {to_ + part.first * walk_.columns, walk_.N()};
    return {columns_.data(), part.count * walk_.columns};
  }
  void add(const Rows& part) {
    if (walk_.pointwise()) return;
    const Size width = walk_.padded_width();
    T* image = padded_.data() + part.first * walk_.stride * width;
    each_row_of_columns(walk_, part.count, plane(), [&](Size place, Size at) {
      add_rows(columns_.data() + at, walk_.columns, part.count, image + place, width, walk_.stride);
    });
  }
  void end() {
    if (walk_.pointwise()) return;
    const Size width = walk_.padded_width();
    const Image<const T> inner{padded_.data() + walk_.above * width + walk_.left, plane(), width, 1};
    copy(inner, Image<T>{to_, walk_.H * walk_.W, walk_.W, 1}, walk_.C, walk_.H, walk_.W);
  }

 private:
  Size plane() const { return (walk_.H + 2 * walk_.above) * walk_.padded_width(); }
  Size columns_size() const { return walk_.K() * walk_.rows_at_once() * walk_.columns; }

  const Walk& walk_;
  Scratch<T> padded_, columns_;
  T* to_ = nullptr;
};

void check_result(const char* op, const Walk& walk, const Tensor& g) {
  if (g.shape() == walk.result()) return;
  throw std::invalid_argument(std::string(op) + ": the cotangent has shape " + text(g.shape()) + ", the result " +
                              text(walk.result()));
}

Cost cost_of(const Walk& walk, const Tensor& a, const Tensor& b, const Shape& out) {
  return {walk.multiplications(), (a.size() + b.size()) * width(a.dtype()), element_count(out) * width(a.dtype())};
}

}  // namespace

Tensor conv(const Tensor& x_, const Tensor& weight_, const Convolution& how) {
  check_floating("conv", x_);
  check_same_dtype("conv", x_, weight_);
  const Walk walk("conv", x_.shape(), weight_.shape(), how);
  if (is_half(x_.dtype())) return rounded(conv(widened(x_), widened(weight_), how), x_.dtype());
  blas::use_one_thread();
  note_cost("conv", cost_of(walk, x_, weight_, walk.result()));
  if (walk.empty()) return Tensor::zeros(walk.result(), x_.dtype());
  const Tensor weight = contiguous(weight_), x = walk.pointwise() ? contiguous(x_) : x_;
  Tensor y = Tensor::uninitialized(walk.result(), x.dtype());
  if (direct::suits_conv(walk, x.dtype())) {
    direct::conv(walk, x, weight.data<float>(), y.writable<float>());
    return y;
  }
  const Size K = walk.K(), N = walk.N(), O = walk.O, parts = walk.B * walk.G * walk.parts_of_image();

  by_floating("conv", x, [&](auto zero) {
    using T = decltype(zero);
    const T* w = weight.data<T>();
    T* to = y.writable<T>();
    parallel(parts, grain(walk, parts), [&](Size first, Size last) {
      Columns<T> columns(walk, x);
      for (Size i = first; i < last; ++i) {
        const Rows part = walk.part(i);
        const Matrix<const T> some = columns.of(part);
        T* out = to + (part.image * walk.G + part.group) * O * N + part.first * walk.columns;
        blas::gemm(false, false, O, part.count * walk.columns, K, w + part.group * O * K, K, some.first, some.row, out,
                   N);
      }
    });
  });
  return y;
}

Tensor conv_to_input(const Tensor& g, const Tensor& weight_, const Shape& input, const Convolution& how) {
  check_floating("conv_to_input", g);
  check_same_dtype("conv_to_input", g, weight_);
  const Walk walk("conv_to_input", input, weight_.shape(), how);
  check_result("conv_to_input", walk, g);
  if (is_half(g.dtype())) return rounded(conv_to_input(widened(g), widened(weight_), input, how), g.dtype());
  blas::use_one_thread();
  note_cost("conv_to_input", cost_of(walk, g, weight_, input));
  if (walk.empty()) return Tensor::zeros(input, g.dtype());
  const Tensor weight = contiguous(weight_);
  Tensor dx = Tensor::uninitialized(input, g.dtype());
  if (direct::suits_conv_to_input(walk, g.dtype())) {
    direct::conv_to_input(walk, g, weight.data<float>(), dx.writable<float>());
    return dx;
  }
  const Size K = walk.K(), O = walk.O, parts = walk.parts_of_image();

  by_floating("conv_to_input", g, [&](auto zero) {
    using T = decltype(zero);
    const T* w = weight.data<T>();
    T* to = dx.writable<T>();
    // Whole images, for what is added where two parts of one meet must be added in order.
    parallel(walk.B * walk.G, grain(walk, walk.B * walk.G), [&](Size first, Size last) {
      SummedColumns<T> image(walk);
      Scratch<T> rows(O * walk.rows_at_once() * walk.columns);
      for (Size i = first; i < last; ++i) {
        const Rows beginning = walk.part(i * parts);
        image.begin(to + (beginning.image * walk.G + beginning.group) * walk.C * walk.H * walk.W);
        for (Size k = 0; k < parts; ++k) {
          const Rows part = walk.part(i * parts + k);
          const Size n = part.count * walk.columns;
          copy(part_of<T>(walk, g, part), Image<T>{rows.data(), n, walk.columns, 1}, O, part.count, walk.columns);
          const Matrix<T> some = image.room(part);
          blas::gemm(true, false, K, n, O, w + part.group * O * K, K, rows.data(), n, some.first, some.row);
          image.add(part);
        }
        image.end();
      }
    });
  });
  return dx;
}

Tensor conv_to_weight(const Tensor& g, const Tensor& x_, const Shape& shape, const Convolution& how) {
  check_floating("conv_to_weight", g);
  check_same_dtype("conv_to_weight", g, x_);
  const Walk walk("conv_to_weight", x_.shape(), shape, how);
  check_result("conv_to_weight", walk, g);
  if (is_half(g.dtype())) return rounded(conv_to_weight(widened(g), widened(x_), shape, how), g.dtype());
  blas::use_one_thread();
  note_cost("conv_to_weight", cost_of(walk, g, x_, shape));
  Tensor dw = Tensor::zeros(shape, g.dtype());
  if (walk.empty()) return dw;
  const Tensor x = walk.pointwise() ? contiguous(x_) : x_;
  if (direct::suits_conv_to_weight(walk, g.dtype())) {
    direct::conv_to_weight(walk, g, x, dw.writable<float>());
    return dw;
  }
  const Size K = walk.K(), O = walk.O;
  const Pieces pieces(walk, g.size() + x.size());

  by_floating("conv_to_weight", g, [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> sums(static_cast<std::size_t>(walk.G * pieces.count * K * O));  // each [K, O]
    parallel(walk.G * pieces.count, grain(walk, walk.G * pieces.count), [&](Size first, Size last) {
      Columns<T> columns(walk, x);
      Scratch<T> transposed(O * walk.rows_at_once() * walk.columns);  // of g: so the product is quicker
      for (Size piece = first; piece < last; ++piece) {
        for (Size i = pieces.begin(piece); i < pieces.end(piece); ++i) {
          const Rows part = walk.part(i);
          copy(part_of<T>(walk, g, part), Image<T>{transposed.data(), 1, walk.columns * O, O}, O, part.count,
               walk.columns);
          const Matrix<const T> some = columns.of(part);
          blas::gemm(false, false, K, O, part.count * walk.columns, some.first, some.row, transposed.data(), O,
                     sums.data() + piece * K * O, O, T(1), T(1));
        }
      }
    });
    T* to = dw.writable<T>();
    for (Size group = 0; group < walk.G; ++group) {
      T* sum = sums.data() + group * pieces.count * K * O;
      for (Size piece = 1; piece < pieces.count; ++piece) {
        for (Size i = 0; i < K * O; ++i) sum[i] += sum[piece * K * O + i];
      }
      for (Size o = 0; o < O; ++o) {
        for (Size k = 0; k < K; ++k) to[(group * O + o) * K + k] = sum[k * O + o];
      }
    }
  });
  return dw;
}

}  // namespace kernel
}  // namespace attend
