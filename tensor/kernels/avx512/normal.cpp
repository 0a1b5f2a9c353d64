// GELU by the normal distribution, 16 numbers at a time, with the operations of special.hpp in their order.
#include "tensor/inner/normal.hpp"

#include "tensor/inner/avx512.hpp"
#include "tensor/kernels/avx512/registers.hpp"

namespace attend::avx512 {

#ifdef __AVX512F__
namespace {

template <std::size_t n>
Vector polynomial(Vector x, const float (&c)[n]) {
  Vector sum = _mm512_set1_ps(c[n - 1]);
  for (std::size_t i = n - 1; i-- > 0;) sum = _mm512_fmadd_ps(sum, x, _mm512_set1_ps(c[i]));
  return sum;
}

// Φ(x), and exp(−x²/2).
struct Normal {
  Vector distribution, bell;
};

Normal normal(Vector x) {
  using namespace normal_numbers;
  const Vector y = _mm512_mul_ps(_mm512_mul_ps(x, x), _mm512_set1_ps(-half_log2e));
  const Vector n = _mm512_roundscale_ps(y, 0), f = _mm512_sub_ps(y, n), one = _mm512_set1_ps(1);
  const Vector bell = _mm512_scalef_ps(_mm512_fmadd_ps(f, polynomial(f, P), one), n);
  const Vector t = _mm512_abs_ps(x);
  const Vector tail = _mm512_div_ps(_mm512_mul_ps(bell, polynomial(t, above)), polynomial(t, below));
  const __mmask16 negative = _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_LT_OQ);
  return {_mm512_mask_mov_ps(_mm512_sub_ps(one, tail), negative, tail), bell};
}

// In this order of arguments a NaN stays one.
Vector at_least(float low, Vector x) { return _mm512_max_ps(_mm512_set1_ps(low), x); }
Vector at_most(float high, Vector x) { return _mm512_min_ps(_mm512_set1_ps(high), x); }

// x Φ(x), for which −∞ · 0 does not occur, and its derivative Φ(x) + x φ(x).
Vector gelu(Vector x) {
  const Vector low = at_least(-normal_numbers::limit, x);
  return _mm512_mul_ps(low, normal(at_most(normal_numbers::limit, low)).distribution);
}
Vector gelu_slope(Vector x) {
  x = at_most(normal_numbers::limit, at_least(-normal_numbers::limit, x));
  const Normal at_x = normal(x);
  const Vector slope = _mm512_mul_ps(_mm512_mul_ps(x, _mm512_set1_ps(0.3989422804014327f)), at_x.bell);
  return _mm512_add_ps(at_x.distribution, slope);
}

}  // namespace

void gelu(const float* x, float* to, Size count) {
  for (Size i = 0; i < count; i += lanes) {
    const __mmask16 inside = first_lanes(count - i);
    _mm512_mask_storeu_ps(to + i, inside, gelu(_mm512_maskz_loadu_ps(inside, x + i)));
  }
}

void gelu_backward(const float* g, Size g_step, const float* x, Size x_step, float* to, Size count) {
  for (Size i = 0; i < count; i += lanes) {
    const __mmask16 inside = first_lanes(count - i);
    const auto some = [&](const float* all, Size step) {
      return step == 0 ? _mm512_set1_ps(*all) : _mm512_maskz_loadu_ps(inside, all + i);
    };
    _mm512_mask_storeu_ps(to + i, inside, _mm512_mul_ps(some(g, g_step), gelu_slope(some(x, x_step))));
  }
}

#else

void gelu(const float*, float*, Size) {}
void gelu_backward(const float*, Size, const float*, Size, float*, Size) {}

#endif

}  // namespace attend::avx512
