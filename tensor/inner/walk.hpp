// How a convolution goes through its images, and how images are copied. Included by kernels/convolution.cpp and
// kernels/direct.cpp only.
#pragma once
#include <algorithm>
#include <stdexcept>
#include <string>

#include "tensor/convolution.hpp"
#include "tensor/inner/run.hpp"
#include "tensor/inner/simd.hpp"
#include "tensor/tensor.hpp"

namespace attend::kernel {

// Some rows of the result for one group of channels of one image.
struct Rows {
  Size image, group, first, count;
};

// The sizes, C and O being those of one group, and how the work is divided.
struct Walk {
  Size B, G, C, O, H, W, u, v, rows, columns;  // an image of the result has rows × columns
  Size stride, dilation;
  Size above, left;  // how many rows and columns of zeros stand before the image

  Walk(const char* op, const Shape& x, const Shape& weight, const Convolution& how) {
    if (x.size() != 4 || weight.size() != 4) {
      throw std::invalid_argument(std::string(op) + ": x " + text(x) + " and the weight " + text(weight) +
                                  "; they are [B, C, H, W] and [O, C / groups, u, v]");
    }
    check_fits(op, x, weight, how);
    stride = how.stride, above = left = how.padding, dilation = how.dilation;
    B = x[0], G = how.groups, C = weight[1], O = weight[0] / G, H = x[2], W = x[3], u = weight[2], v = weight[3];
    rows = (H + 2 * above - dilation * (u - 1) - 1) / stride + 1;
    columns = (W + 2 * left - dilation * (v - 1) - 1) / stride + 1;
    element_count(result());  // throws before anything is multiplied that cannot be counted
  }
  Shape result() const { return {B, G * O, rows, columns}; }
  Size K() const { return C * u * v; }
  Size N() const { return rows * columns; }
  Size multiplications() const { return B * G * O * K() * N(); }
  bool empty() const { return multiplications() == 0; }

  // A window of one element, at every place: the image itself is the matrix of columns.
  bool pointwise() const { return u == 1 && v == 1 && stride == 1 && above == 0 && left == 0; }

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
  Size padded_width() const { return W + 2 * left; }
  Size padded_rows(Size count) const { return (count - 1) * stride + (u - 1) * dilation + 1; }
};

// How many parts of the work a thread should take at least.
inline Size grain(const Walk& walk, Size parts) {
  return multiplications_per_thread / (walk.multiplications() / parts + 1) + 1;
}

// How the places that the weight's gradient is a sum over are divided: the parts of each group in pieces, cut by sizes
// alone; each piece has a sum of its own, and all of them together are no more than the operands.
struct Pieces {
  Size parts, share, count;  // of each group: parts, parts in a piece, pieces

  Pieces(const Walk& walk, Size operands) : parts(walk.B * walk.parts_of_image()) {
    const Size most = 1 + operands / (walk.G * walk.O * walk.K()), large = 1 + walk.multiplications() / (Size{1} << 22);
    const Size wanted = std::min({Size{16}, most, large, parts});
    share = (parts + wanted - 1) / wanted;
    count = (parts + share - 1) / share;
  }
  // The parts of all groups, group by group, that piece 0 .. G · count − 1 consists of.
  Size begin(Size piece) const { return piece / count * parts + piece % count * share; }
  Size end(Size piece) const { return piece / count * parts + std::min(parts, (piece % count + 1) * share); }
};

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

// Rows of g for one group of one image, from its row `part.first` on.
template <class T>
Image<const T> part_of(const Walk& walk, const Tensor& g, const Rows& part) {
  Image<const T> from = image_of<T>(g, part.image, part.group * walk.O);
  from.first += part.first * from.row;
  return from;
}

}  // namespace attend::kernel
