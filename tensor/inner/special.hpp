// Functions of vector registers, for float32 faster than xsimd's: a ratio of two polynomials in the place of several
// branches that a vector would have to compute all. Included by tensor/kernels/*.cpp only.
#pragma once
#include "tensor/inner/normal.hpp"
#include "tensor/inner/simd.hpp"

namespace attend::simd {

/// c₀ + c₁ x + c₂ x² + ..., by Horner's rule.
template <class T, std::size_t n>
Batch<T> polynomial(const Batch<T>& x, const T (&c)[n]) {
  Batch<T> sum(c[n - 1]);
  for (std::size_t i = n - 1; i-- > 0;) sum = xsimd::fma(sum, x, Batch<T>(c[i]));
  return sum;
}

/// x, but at least `low` and at most `high`. NaN stays: of two operands, one of them NaN, the second comes out.
template <class T>
Batch<T> held_within(T low, const Batch<T>& x, T high) {
  return xsimd::min(Batch<T>(high), xsimd::max(Batch<T>(low), x));
}

/// tanh x = x P(x²) / Q(x²) within 2.2e-8 of it, by Remez' criterion on 0 .. 9.02. From 9 on tanh is 1 to the last bit.
inline Batch<float> tanh(const Batch<float>& x_) {
  const Batch<float> x = held_within(-9.0f, x_, 9.0f), square = x * x;
  constexpr float P[] = {1.0f, 0.133826813f, 0.00349745049f, 2.06357031e-05f, 1.33841273e-08f};
  constexpr float Q[] = {1.0f, 0.467160025f, 0.0258843337f, 0.000328850552f, 7.79018166e-07f};
  return held_within(-1.0f, x * polynomial(square, P) / polynomial(square, Q), 1.0f);
}
inline Batch<double> tanh(const Batch<double>& x) { return xsimd::tanh(x); }

/// The normal distribution Φ(x), and exp(−x²/2), which is √(2π) times its density, for |x| up to a limit where Φ is as
/// good as 0 or 1.
template <class T>
struct Normal {
  Batch<T> distribution, bell;
};
template <class T>
constexpr T normal_limit = T(40);
template <>
constexpr float normal_limit<float> = normal_numbers::limit;

/// exp(−x²/2), and Φ with it: normal.hpp has the formulas.
inline Batch<float> bell(const Batch<float>& x) {
  const Batch<float> y = x * x * Batch<float>(-normal_numbers::half_log2e), n = xsimd::nearbyint(y), f = y - n;
  return xsimd::ldexp(xsimd::fma(f, polynomial(f, normal_numbers::P), Batch<float>(1.0f)), xsimd::to_int(n));
}
inline Normal<float> normal(const Batch<float>& x) {
  const Batch<float> t = xsimd::abs(x), b = bell(x);
  const Batch<float> tail = b * polynomial(t, normal_numbers::above) / polynomial(t, normal_numbers::below);
  return {xsimd::select(x < Batch<float>(0.0f), tail, Batch<float>(1.0f) - tail), b};
}
/// What goes into erf is held within ±9, from where on it is ±1 to the last bit: xsimd makes NaN of the erf of 1e100.
inline Normal<double> normal(const Batch<double>& x) {
  const Batch<double> error = xsimd::erf(held_within(-9.0, Batch<double>(0.7071067811865476) * x, 9.0));
  return {Batch<double>(0.5) * (Batch<double>(1.0) + error), xsimd::exp(Batch<double>(-0.5) * x * x)};
}

/// x Φ(x), for which −∞ · 0 does not occur, and its derivative Φ(x) + x φ(x).
template <class T>
Batch<T> gelu(const Batch<T>& x) {
  const Batch<T> low = xsimd::max(Batch<T>(-normal_limit<T>), x);
  return low * normal(xsimd::min(Batch<T>(normal_limit<T>), low)).distribution;
}
template <class T>
Batch<T> gelu_slope(const Batch<T>& x_) {
  const Batch<T> x = held_within(-normal_limit<T>, x_, normal_limit<T>);
  const Normal<T> at_x = normal(x);
  return at_x.distribution + x * Batch<T>(T(0.3989422804014327)) * at_x.bell;
}

}  // namespace attend::simd
