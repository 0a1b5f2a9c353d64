// Matrix products, by OpenBLAS or by what is quicker (xblas.hpp). Strides go there as they are wherever BLAS could read
// them: a transposed or sliced matrix is not copied.
#include <algorithm>

#include "tensor/cost.hpp"
#include "tensor/inner/dispatch.hpp"
#include "tensor/inner/run.hpp"
#include "tensor/inner/xblas.hpp"
#include "tensor/kernels.hpp"

namespace attend::kernel {
namespace {

// A matrix as BLAS reads it: rows `stride` apart, or columns where it is read as the transpose.
struct Side {
  bool readable = false, transposed = false;
  Size stride = 0;
};

Side side(const Tensor& x) {
  const Size rows = x.shape()[x.rank() - 2], columns = x.shape()[x.rank() - 1];
  const Size row_step = x.strides()[x.rank() - 2], column_step = x.strides()[x.rank() - 1];
  if ((column_step == 1 || columns == 1) && (row_step >= columns || rows == 1)) {
    return {true, false, rows == 1 ? columns : row_step};
  }
  if ((row_step == 1 || rows == 1) && (column_step >= rows || columns == 1)) {
    return {true, true, columns == 1 ? rows : column_step};
  }
  return {};
}

// x as BLAS reads it; `made` is where it stands if it must be made.
const Tensor& readable_by_blas(const Tensor& x, Tensor& made) { return side(x).readable ? x : made = contiguous(x); }
const Tensor& readable_by_blas(const Tensor& x, const Shape& shape, Tensor& made) {
  const Tensor& readable = readable_by_blas(x, made);
  return readable.shape() == shape ? readable : made = broadcast_to(readable, shape);
}

// One product [m, k] · [k, n] of a batch, with the places of its matrices. It is written over c, or added to it.
struct Product {
  Size m, n, k;
  Side a, b;
  Size c_stride;
  bool added = false;

  template <class T>
  void rows(const T* a_first, const T* b_first, T* c, Size first, Size last) const {
    a_first += first * (a.transposed ? 1 : a.stride);
    c += first * c_stride;
    if (n == 1 && !b.transposed && c_stride == 1 && !added) {
      blas::gemv(a.transposed, last - first, k, a_first, a.stride, b_first, b.stride, c);
    } else {
      blas::gemm(a.transposed, b.transposed, last - first, n, k, a_first, a.stride, b_first, b.stride, c, c_stride,
                 T(1), T(added));
    }
  }
};

// Where one product may be cut for threads: after multiples of so many rows. OpenBLAS computes rows in groups whose
// sizes divide 48, so that a cut there changes no bit of the result, as long as no piece is small: below a million
// multiplications it takes other kernels. Our own product sums a row in the same order wherever the cut is. The size of
// the pieces depends on that of the product alone.
Size rows_per_piece(Size m, Size n, Size k) {
  constexpr Size multiplications_per_piece = Size{1} << 21;
  const Size pieces = std::min<Size>(16, 1 + m * n * k / multiplications_per_piece);
  const Size rows = (m + pieces - 1) / pieces;
  return (rows + 47) / 48 * 48;
}

// One product by all threads; the last piece takes the rows that are left over. A thread's pieces adjoin and go to BLAS
// as one, which for each call arranges all of b anew.
template <class T>
void in_pieces(const Product& product, const T* a, const T* b, T* c) {
  const Size m = product.m, rows = rows_per_piece(m, product.n, product.k), pieces = std::max<Size>(1, m / rows);
  parallel(pieces, 1, [&](Size first, Size last) {
    if (first < last) product.rows(a, b, c, first * rows, last == pieces ? m : last * rows);
  });
}

void check_inner(const Tensor& a, const Tensor& b) {
  const bool matrices = a.rank() >= 2 && b.rank() >= 2;
  if (!matrices) {
    throw std::invalid_argument("matmul: needs matrices: " + text(a.shape()) + " x " + text(b.shape()));
  }
  if (a.shape()[a.rank() - 1] != b.shape()[b.rank() - 2]) {
    throw std::invalid_argument("matmul: inner sizes differ: " + text(a.shape()) + " x " + text(b.shape()));
  }
}

void check_linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const bool matrices = x.rank() == 2 && weight.rank() == 2 && bias.rank() == 1;
  if (matrices && x.shape()[1] == weight.shape()[0] && bias.shape()[0] == weight.shape()[1]) return;
  throw std::invalid_argument("linear: x " + text(x.shape()) + ", weight " + text(weight.shape()) + " and bias " +
                              text(bias.shape()) + " do not fit; they are [n, in], [in, out] and [out]");
}

Shape common_batch(const Tensor& a, const Tensor& b) {
  const Shape in_a = batch_shape(a.shape()), in_b = batch_shape(b.shape());
  if (in_a == in_b) return in_a;
  return broadcast_shape(("matmul: " + text(a.shape()) + " x " + text(b.shape())).c_str(), in_a, in_b);
}

// The result takes the memory order of b, with m in the place of k, where b is dense and not transposed. So the heads
// of weights · values lie where the values had them, and merging the heads again copies nothing.
Tensor result_for(const Tensor& b, const Shape& shape, Size m) {
  const Size rank = shape.size();
  if (b.shape().size() != rank || side(b).transposed || m == 0) return Tensor::uninitialized(shape, b.dtype());
  Shape model_shape = b.shape();
  model_shape[rank - 2] = m;
  if (model_shape != shape) return Tensor::uninitialized(shape, b.dtype());
  const Tensor out = Tensor::uninitialized_in_order(shape, b.strides(), b.dtype());
  return out.strides().back() == 1 ? out : Tensor::uninitialized(shape, b.dtype());
}

}  // namespace

Tensor matmul(const Tensor& a_, const Tensor& b_) {
  check_floating("matmul", a_);
  check_same_dtype("matmul", a_, b_);
  check_inner(a_, b_);
  if (is_half(a_.dtype())) return rounded(matmul(widened(a_), widened(b_)), a_.dtype());
  blas::use_one_thread();
  const Size m = a_.shape()[a_.rank() - 2], k = a_.shape().back(), n = b_.shape().back();
  const Shape batch = common_batch(a_, b_);
  const Shape shape = with_matrix(batch, m, n);
  note_cost("matmul", {element_count(shape) * k, (a_.size() + b_.size()) * width(a_.dtype()),
                       element_count(shape) * width(a_.dtype())});
  if (k == 0 || element_count(shape) == 0) return Tensor::zeros(shape, a_.dtype());

  Tensor made_a, made_b;
  const Tensor& a = readable_by_blas(a_, with_matrix(batch, m, k), made_a);
  const Tensor& b = readable_by_blas(b_, with_matrix(batch, k, n), made_b);
  Tensor out = result_for(b_, shape, m);
  const Size c_stride = m == 1 ? n : out.strides()[shape.size() - 2];
  const Product product{m, n, k, side(a), side(b), std::max(c_stride, n)};

  // The loop over the batch; the matrices themselves are its elements.
  Shape batch_loop = batch;
  Strides c_strides = out.strides(), a_strides = a.strides(), b_strides = b.strides();
  for (Strides* strides : {&c_strides, &a_strides, &b_strides}) {
    strides->erase(strides->size() - 1);
    strides->back() = 0;
  }
  batch_loop.push_back(1);
  const Plan loop = plan(batch_loop, {c_strides, a_strides, b_strides});

  by_floating("matmul", a, [&](auto zero) {
    using T = decltype(zero);
    const T *from_a = a.data<T>(), *from_b = b.data<T>();
    T* to = out.writable<T>();
    if (element_count(batch) == 1) {
      in_pieces(product, from_a, from_b, to);
      return;
    }
    const Size inner = loop.run_length();
    parallel(loop.runs() * inner, multiplications_per_thread / (m * n * k) + 1, [&](Size first, Size last) {
      each_run(loop, first / inner, (last + inner - 1) / inner, [&, run = first / inner](auto& offset) mutable {
        const Size begin = std::max(first, run * inner), end = std::min(last, (run + 1) * inner);
        for (Size i = begin - run * inner; i < end - run * inner; ++i) {
          product.rows(from_a + offset[1] + i * loop.run_stride(1), from_b + offset[2] + i * loop.run_stride(2),
                       to + offset[0] + i * loop.run_stride(0), 0, m);
        }
        ++run;
      });
    });
  });
  return out;
}

Tensor linear(const Tensor& x_, const Tensor& weight_, const Tensor& bias) {
  check_floating("linear", x_);
  check_same_dtype("linear", x_, weight_);
  check_same_dtype("linear", x_, bias);
  check_linear(x_, weight_, bias);
  if (is_half(x_.dtype())) return rounded(linear(widened(x_), widened(weight_), widened(bias)), x_.dtype());
  blas::use_one_thread();
  const Size m = x_.shape()[0], k = x_.shape()[1], n = weight_.shape()[1];
  note_cost("linear", {m * n * k, (x_.size() + weight_.size() + n) * width(x_.dtype()), m * n * width(x_.dtype())});
  Tensor made_x, made_weight;
  const Tensor &x = readable_by_blas(x_, made_x), &weight = readable_by_blas(weight_, made_weight);
  const Tensor row = contiguous(bias);
  Tensor out = Tensor::uninitialized({m, n}, x.dtype());
  by_floating("linear", x, [&](auto zero) {
    using T = decltype(zero);
    T* to = out.writable<T>();
    const T* from = row.data<T>();
    for (Size i = 0; i < m; ++i) std::copy(from, from + n, to + i * n);
    if (out.size() == 0 || k == 0) return;
    in_pieces({m, n, k, side(x), side(weight), n, true}, x.data<T>(), weight.data<T>(), to);
  });
  return out;
}

}  // namespace attend::kernel
