// Convolution as matrix products. Under every window stand K = C · u · v numbers; written one below the other they are
// a column, and all windows of an image are a matrix [K, N]. With the weight as a matrix W [O, K],
//   y = W · columns        gradient of columns = Wᵀ · g        gradient of Wᵀ = columns · gᵀ
// for each image and each group of channels. The columns are never all there: some rows of one image at a time, as many
// as stay in the cache until BLAS has read them.
#include <algorithm>
#include <limits>
#include <vector>

#include "tensor/cost.hpp"
#include "tensor/dispatch.hpp"
#include "tensor/kernels.hpp"
#include "tensor/run.hpp"
#include "tensor/simd.hpp"
#include "tensor/xblas.hpp"

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

// Some rows of the result for one group of channels of one image.
struct Rows {
  Size image, group, first, count;
};

// The sizes, C and O being those of one group, and how the work is divided.
struct Walk {
  Size B, G, C, O, H, W, u, v, rows, columns;  // an image of the result has rows × columns
  Size stride, padding, dilation;

  Walk(const char* op, const Shape& x, const Shape& weight, const Convolution& how) {
    if (x.size() != 4 || weight.size() != 4) {
      throw std::invalid_argument(std::string(op) + ": x " + text(x) + " and the weight " + text(weight) +
                                  "; they are [B, C, H, W] and [O, C / groups, u, v]");
    }
    check_fits(op, x, weight, how);
    stride = how.stride, padding = how.padding, dilation = how.dilation;
    B = x[0], G = how.groups, C = weight[1], O = weight[0] / G, H = x[2], W = x[3], u = weight[2], v = weight[3];
    rows = (H + 2 * padding - dilation * (u - 1) - 1) / stride + 1;
    columns = (W + 2 * padding - dilation * (v - 1) - 1) / stride + 1;
  }
  Shape result() const { return {B, G * O, rows, columns}; }
  Size K() const { return C * u * v; }
  Size N() const { return rows * columns; }
  Size multiplications() const { return B * G * O * K() * N(); }
  bool empty() const { return multiplications() == 0; }

  // A window of one element, at every place: the image itself is the matrix of columns.
  bool pointwise() const { return u == 1 && v == 1 && stride == 1 && padding == 0; }

  // Rows of the result that are taken at once: their columns are 256 KiB of float32, or one row's.
  Size rows_at_once() const {
    constexpr Size elements = Size{1} << 16;
    return std::clamp<Size>(elements / std::max<Size>(1, K() * columns), 1, rows);
  }
  Size parts_of_image() const { return (rows + rows_at_once() - 1) / rows_at_once(); }
  // Parts 0 .. B · G · parts_of_image() − 1, group by group, then image by image.
  Rows part(Size i) const {
    const Size parts = parts_of_image(), first = i % parts * rows_at_once();
    return {i / parts % B, i / parts / B, first, std::min(rows_at_once(), rows - first)};
  }

  // A padded image, or as much of it as `count` rows of the result read.
  Size padded_width() const { return W + 2 * padding; }
  Size padded_rows(Size count) const { return (count - 1) * stride + (u - 1) * dilation + 1; }
};

// How many parts of the work a thread should take at least.
Size grain(const Walk& walk, Size parts) {
  return multiplications_per_thread / (walk.multiplications() / parts + 1) + 1;
}

// Memory for a while, with room behind it, for rows are read and written in whole vectors.
template <class T>
class Scratch {
 public:
  explicit Scratch(Size count) : memory_(Tensor::uninitialized({count + simd::lanes<T>()}, dtype_of<T>())) {}
  T* data() { return memory_.template writable<T>(); }

 private:
  Tensor memory_;
};

// Channels of rows of numbers, with the distances of each.
template <class T>
struct Image {
  T* first;
  Size channel, row, step;
};

template <class T>
Image<const T> image_of(const Tensor& x, Size image, Size channel) {
  const Strides& s = x.strides();
  return {x.data<T>() + image * s[0] + channel * s[1], s[1], s[2], s[3]};
}

template <class T>
void copy(const Image<const T>& from, const Image<T>& to, Size channels, Size rows, Size columns) {
  const bool one_run = from.row == columns * from.step && to.row == columns * to.step;
  const Size runs = one_run ? 1 : rows, length = one_run ? rows * columns : columns;
  for (Size c = 0; c < channels; ++c) {
    for (Size i = 0; i < runs; ++i) {
      copy_run(from.first + c * from.channel + i * from.row, from.step, to.first + c * to.channel + i * to.row, to.step,
               length);
    }
  }
}

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
    const Size above = part.first * walk_.stride - walk_.padding;
    const Size first = std::clamp<Size>(above, 0, walk_.H), last = std::clamp<Size>(above + rows, 0, walk_.H);
    std::fill_n(padded_.data(), walk_.C * plane, T(0));
    from.first += first * from.row;
    const Image<T> to{padded_.data() + (first - above) * width + walk_.padding, plane, width, 1};
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
    const Image<const T> inner{padded_.data() + walk_.padding * (width + 1), plane(), width, 1};
    copy(inner, Image<T>{to_, walk_.H * walk_.W, walk_.W, 1}, walk_.C, walk_.H, walk_.W);
  }

 private:
  Size plane() const { return (walk_.H + 2 * walk_.padding) * walk_.padded_width(); }
  Size columns_size() const { return walk_.K() * walk_.rows_at_once() * walk_.columns; }

  const Walk& walk_;
  Scratch<T> padded_, columns_;
  T* to_ = nullptr;
};

// Rows of g for one group of one image, from its row `part.first` on.
template <class T>
Image<const T> part_of(const Walk& walk, const Tensor& g, const Rows& part) {
  Image<const T> from = image_of<T>(g, part.image, part.group * walk.O);
  from.first += part.first * from.row;
  return from;
}

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
  const Size K = walk.K(), O = walk.O, parts = walk.B * walk.parts_of_image();

  // The parts of each group in pieces, cut by sizes alone; each piece has a sum of its own, and all of them together
  // are no more than the operands.
  const Size most = 1 + (g.size() + x.size()) / dw.size(), large = 1 + walk.multiplications() / (Size{1} << 22);
  const Size wanted = std::min({Size{16}, most, large, parts}), share = (parts + wanted - 1) / wanted;
  const Size pieces = (parts + share - 1) / share;

  by_floating("conv_to_weight", g, [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> sums(static_cast<std::size_t>(walk.G * pieces * K * O));  // each [K, O]
    parallel(walk.G * pieces, grain(walk, walk.G * pieces), [&](Size first, Size last) {
      Columns<T> columns(walk, x);
      Scratch<T> transposed(O * walk.rows_at_once() * walk.columns);  // of g: so the product is quicker
      for (Size piece = first; piece < last; ++piece) {
        const Size group = piece / pieces, begin = piece % pieces * share, end = std::min(parts, begin + share);
        for (Size i = begin; i < end; ++i) {
          const Rows part = walk.part(group * parts + i);
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
      T* sum = sums.data() + group * pieces * K * O;
      for (Size piece = 1; piece < pieces; ++piece) {
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
