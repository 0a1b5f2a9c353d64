// Functions of vector registers, for float32 faster than xsimd's: a ratio of two polynomials in the place of several
// branches that a vector would have to compute all. Included by tensor/kernels/*.cpp only.
#pragma once
#include "tensor/simd.hpp"

namespace attend::simd {

/// c₀ + c₁ x + c₂ x² + ..., by Horner's rule.
template <class T>
Batch<T> polynomial(const Batch<T>&, T last) {
  return Batch<T>(last);
}
template <class T, class... More>
Batch<T> polynomial(const Batch<T>& x, T first, More... more) {
  return xsimd::fma(polynomial(x, more...), x, Batch<T>(first));
}

/// x, but at least `low` and at most `high`. NaN stays: of two operands, one of them NaN, the second comes out.
template <class T>
Batch<T> held_within(T low, const Batch<T>& x, T high) {
  return xsimd::min(Batch<T>(high), xsimd::max(Batch<T>(low), x));
}

/// tanh x = x P(x²) / Q(x²) within 2.2e-8 of it, by Remez' criterion on 0 .. 9.02. From 9 on tanh is 1 to the last bit.
inline Batch<float> tanh(const Batch<float>& x_) {
  const Batch<float> x = held_within(-9.0f, x_, 9.0f), square = x * x;
  const Batch<float> above = polynomial(square, 1.0f, 0.133826813f, 0.00349745049f, 2.06357031e-05f, 1.33841273e-08f);
  const Batch<float> below = polynomial(square, 1.0f, 0.467160025f, 0.0258843337f, 0.000328850552f, 7.79018166e-07f);
  return held_within(-1.0f, x * above / below, 1.0f);
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
constexpr float normal_limit<float> = 13;

/// exp(−x²/2) for |x| ≤ 13, where it is a normal number. With y = −x²/2 log₂e, n the nearest integer and f = y − n it
/// is 2ⁿ (1 + f P(f)), within 4.5e-9 of it but for the rounding of y, whose share of the relative error grows with x².
inline Batch<float> bell(const Batch<float>& x) {
  const Batch<float> y = x * x * Batch<float>(-0.721347520f), n = xsimd::nearbyint(y), f = y - n;
  const Batch<float> slope =
      polynomial(f, 0.693147188f, 0.240226498f, 0.0555035743f, 0.00961823751f, 0.00133907355f, 0.000154035068f);
  return xsimd::ldexp(xsimd::fma(f, slope, Batch<float>(1.0f)), xsimd::to_int(n));
}

/// For x < 0, Φ(x) = exp(−x²/2) R(−x), where R is Mills' ratio over √(2π): P / Q within 4.8e-9 of it on 0 .. 13. Its
/// relative error is that of the exponential, in the tail too, where ½ (1 + erf(x/√2)) has lost all digits.
inline Normal<float> normal(const Batch<float>& x) {
  const Batch<float> t = xsimd::abs(x), b = bell(x);
  const Batch<float> above = polynomial(t, 0.500000002f, 0.434976578f, 0.180784302f, 0.0398088901f, 0.00399437096f);
  const Batch<float> below = polynomial(t, 1.0f, 1.66783806f, 1.19230687f, 0.463001571f, 0.0997937411f, 0.010012253f);
  const Batch<float> tail = b * above / below;
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
