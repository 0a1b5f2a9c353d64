// The products of BLAS, in row-major order, through xtensor-blas, which has one name for both element types. Included
// by tensor/kernels/*.cpp only. Without HAVE_CBLAS it would run a slow loop of its own, so that is an error.
#pragma once
#if !HAVE_CBLAS
#error "compile with HAVE_CBLAS=1: otherwise xtensor-blas does not call BLAS at all"
#endif
#if __has_include(<xtensor-blas/xblas.hpp>)
#include <xtensor-blas/xblas.hpp>
#endif
#include <type_traits>

#include "tensor/inner/avx512.hpp"
#include "tensor/shape.hpp"

extern "C" void openblas_set_num_threads(int threads);

namespace attend::blas {

/// Our own threads divide the work, by sizes alone; inside, OpenBLAS runs on one. Otherwise it would start a thread per
/// core, and the last bits of a product would depend on their number.
inline void use_one_thread() {
  static const bool once = (openblas_set_num_threads(1), true);
  static_cast<void>(once);
}

inline int narrow(Size size) { return static_cast<int>(size); }

/// Whether avx512::multiply is quicker than OpenBLAS: where b is not large, or a has few rows. But for up to a million
/// multiplications OpenBLAS has kernels of its own, which are slower, on the whole, only where b is transposed and a
/// has five rows or more. A product that is cut for threads has larger pieces, of 48 rows or more (rows_per_piece), so
/// that its bits do not depend on the cut.
inline bool quicker_than_blas(Size m, Size n, Size k, bool b_transposed) {
  constexpr Size most_of_b = Size{1} << 18, few_rows = 48, most_by_small_kernels = 1'000'000, fewest_transposed = 5;
  if (n < avx512::lanes || (n * k > most_of_b && m >= few_rows)) return false;
  return m * n * k > most_by_small_kernels || (b_transposed && m >= fewest_transposed);
}

/// c [m, n] = factor · a [m, k] · b [k, n] + keep · c, where a or b may be stored transposed; the last argument of each
/// is its row distance.
template <class T>
void gemm(bool a_transposed, bool b_transposed, Size m, Size n, Size k, const T* a, Size a_stride, const T* b,
          Size b_stride, T* c, Size c_stride, T factor = T(1), T keep = T(0)) {
  if constexpr (std::is_same_v<T, float>) {
    if (avx512::available() && quicker_than_blas(m, n, k, b_transposed)) {
      const avx512::Matrix left{a, a_transposed ? 1 : a_stride, a_transposed ? a_stride : 1};
      const avx512::Matrix right{b, b_transposed ? 1 : b_stride, b_transposed ? b_stride : 1};
      return avx512::multiply(m, n, k, left, right, c, c_stride, factor, keep);
    }
  }
  cxxblas::gemm<int>(cxxblas::RowMajor, a_transposed ? cxxblas::Trans : cxxblas::NoTrans,
                     b_transposed ? cxxblas::Trans : cxxblas::NoTrans, narrow(m), narrow(n), narrow(k), factor, a,
                     narrow(a_stride), b, narrow(b_stride), keep, c, narrow(c_stride));
}

/// y [m] = a [m, k] · x [k], where a may be stored transposed and the elements of x are x_stride apart.
template <class T>
void gemv(bool a_transposed, Size m, Size k, const T* a, Size a_stride, const T* x, Size x_stride, T* y) {
  cxxblas::gemv<int>(cxxblas::RowMajor, a_transposed ? cxxblas::Trans : cxxblas::NoTrans, narrow(a_transposed ? k : m),
                     narrow(a_transposed ? m : k), T(1), a, narrow(a_stride), x, narrow(x_stride), T(0), y, 1);
}

}  // namespace attend::blas
