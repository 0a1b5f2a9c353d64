// Do products reach BLAS, and without a copy of their operands? This program has cblas_?gemm and cblas_?gemv of its own,
// which the linker prefers to those of OpenBLAS, and looks at what they are called with.
#include <doctest/doctest.h>

#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

struct Call {
  const void *a, *b;
  bool a_transposed, b_transposed;
  int a_stride, b_stride;
};
std::vector<Call> calls;

constexpr int row_major_order = 101, transposed = 112;

template <class T>
void multiply(int order, int a_kind, int b_kind, int m, int n, int k, const T* a, int a_stride, const T* b,
              int b_stride, T* c, int c_stride) {
  CHECK(order == row_major_order);
  calls.push_back({a, b, a_kind == transposed, b_kind == transposed, a_stride, b_stride});
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      T sum = 0;
      for (int l = 0; l < k; ++l) {
        sum += a[a_kind == transposed ? l * a_stride + i : i * a_stride + l] *
               b[b_kind == transposed ? j * b_stride + l : l * b_stride + j];
      }
      c[i * c_stride + j] = sum;
    }
  }
}

template <class T>
void multiply_vector(int order, int kind, int m, int n, const T* a, int a_stride, const T* x, int x_stride, T* y) {
  CHECK(order == row_major_order);
  calls.push_back({a, x, kind == transposed, false, a_stride, x_stride});
  const int rows = kind == transposed ? n : m, columns = kind == transposed ? m : n;
  for (int i = 0; i < rows; ++i) {
    y[i] = 0;
    for (int j = 0; j < columns; ++j) {
      y[i] += a[kind == transposed ? j * a_stride + i : i * a_stride + j] * x[j * x_stride];
    }
  }
}

}  // namespace

extern "C" {
void cblas_sgemm(int order, int ta, int tb, int m, int n, int k, float, const float* a, int lda, const float* b,
                 int ldb, float, float* c, int ldc) {
  multiply(order, ta, tb, m, n, k, a, lda, b, ldb, c, ldc);
}
void cblas_dgemm(int order, int ta, int tb, int m, int n, int k, double, const double* a, int lda, const double* b,
                 int ldb, double, double* c, int ldc) {
  multiply(order, ta, tb, m, n, k, a, lda, b, ldb, c, ldc);
}
void cblas_sgemv(int order, int ta, int m, int n, float, const float* a, int lda, const float* x, int incx, float,
                 float* y, int) {
  multiply_vector(order, ta, m, n, a, lda, x, incx, y);
}
void cblas_dgemv(int order, int ta, int m, int n, double, const double* a, int lda, const double* x, int incx, double,
                 double* y, int) {
  multiply_vector(order, ta, m, n, a, lda, x, incx, y);
}
}

namespace {

// The calls of one product.
std::vector<Call> calls_of(const Tensor& a, const Tensor& b) {
  calls.clear();
  kernel::matmul(a, b);
  return calls;
}

const Tensor a = random({6, 5}, DType::float64, 3), b = random({5, 4}, DType::float64, 4);

}  // namespace

TEST_CASE("products of both types are products of BLAS") {
  CHECK(calls_of(a, b).size() == 1);
  CHECK(calls_of(kernel::cast(a, DType::float32), kernel::cast(b, DType::float32)).size() == 1);
  CHECK(calls_of(a, slice(b, 1, 0, 1)).size() == 1);
  CHECK(calls_of(kernel::cast(a, DType::float32), slice(kernel::cast(b, DType::float32), 1, 0, 1)).size() == 1);
  CHECK(calls_of(random({7, 3, 2}), random({7, 2, 3})).size() == 7);
}

TEST_CASE("transposed and sliced matrices go to BLAS as they lie in memory") {
  const Tensor turned = transpose(b), rows = slice(a, 0, 0, 3, 2), columns = slice(a, 1, 1, 3);
  const Call plain = calls_of(a, b)[0];
  CHECK(plain.a == a.data<double>());
  CHECK(plain.b == b.data<double>());
  CHECK(plain.a_stride == 5);
  CHECK(plain.b_stride == 4);
  const Call left = calls_of(turned, transpose(a))[0];
  CHECK(left.a == b.data<double>());
  CHECK(left.b == a.data<double>());
  CHECK(left.a_transposed);
  CHECK(left.b_transposed);
  CHECK(calls_of(rows, b)[0].a == a.data<double>());
  CHECK(calls_of(rows, b)[0].a_stride == 10);
  CHECK(calls_of(columns, slice(b, 0, 0, 3))[0].a == columns.data<double>());
}

TEST_CASE("heads and a shared matrix of a batch are not copied") {
  const Tensor x = random({2, 5, 3, 4}), heads = permute(x, {0, 2, 1, 3});
  for (const Call& call : calls_of(heads, transpose(heads))) {
    const auto inside = [&](const void* place) {
      return place >= x.data<double>() && place < x.data<double>() + x.size();
    };
    CHECK(inside(call.a));
    CHECK(inside(call.b));
    CHECK(call.b_transposed);
    CHECK(call.a_stride == 12);
  }
  for (const Call& call : calls_of(random({3, 2, 5}), b)) CHECK(call.b == b.data<double>());
}

TEST_CASE("what BLAS cannot read is copied first") {
  for (const Tensor& view : {slice(a, 1, 0, 2, 2), flip(a, {0}), broadcast_to(slice(a, 0, 0, 1), {6, 5})}) {
    const Tensor other = random({view.shape()[1], 2});
    CHECK(calls_of(view, other)[0].a != view.data<double>());
    check_agree(kernel::matmul(view, other), kernel::matmul(contiguous(view), other), 0);
  }
}
