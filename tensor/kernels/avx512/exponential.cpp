// The exponential function, 16 numbers at a time.
#include <initializer_list>

#include "tensor/inner/avx512.hpp"
#include "tensor/kernels/avx512/registers.hpp"

namespace attend::avx512 {

#ifdef __AVX512F__
namespace {

// e^x = 2^n · e^r with n the whole number next to x / ln 2, so that |r| ≤ ln 2 / 2; there e^r ≈ 1 + r + r² P(r). ln 2
// is subtracted in two parts, the first of which has few bits, so that n times it is exact. The numbers are those of
// expf in Moshier's Cephes library.
Vector exp(Vector x) {
  // Below the first e^x is 0, above the second infinite. In this order of arguments a NaN stays one.
  x = _mm512_min_ps(_mm512_set1_ps(89), _mm512_max_ps(_mm512_set1_ps(-104), x));
  const Vector n = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(1.44269504f)), 0);
  Vector r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0.693359375f), x);
  r = _mm512_fnmadd_ps(n, _mm512_set1_ps(-2.12194440e-4f), r);
  Vector P = _mm512_set1_ps(1.9875691500e-4f);
  for (float coefficient : {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f}) {
    P = _mm512_fmadd_ps(P, r, _mm512_set1_ps(coefficient));
  }
  const Vector e = _mm512_fmadd_ps(_mm512_mul_ps(r, r), P, _mm512_add_ps(r, _mm512_set1_ps(1)));
  return _mm512_scalef_ps(e, n);
}

}  // namespace

float exp_shifted(const float* x, float shift, float* to, Size count) {
  const Vector shifts = _mm512_set1_ps(shift);
  Vector sum = _mm512_setzero_ps();
  for (Size i = 0; i < count; i += lanes) {
    const __mmask16 inside = first_lanes(count - i);
    const Vector e = exp(_mm512_sub_ps(_mm512_maskz_loadu_ps(inside, x + i), shifts));
    _mm512_mask_storeu_ps(to + i, inside, e);
    sum = _mm512_mask_add_ps(sum, inside, sum, e);
  }
  return _mm512_reduce_add_ps(sum);
}

#else

float exp_shifted(const float*, float, float*, Size) { return 0; }

#endif

}  // namespace attend::avx512
