#include "tensor/half.hpp"

#include <algorithm>
#include <cstring>
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace attend {
namespace {

template <class To, class From>
To with_bits_of(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// x = ±significand · 2^(exponent − 52), rounded to a format whose significand has fewer bits, and whose exponents end
// sooner.
template <int exponent_bits, int fraction_bits>
std::uint16_t nearest(double x) {
  constexpr int bias = (1 << (exponent_bits - 1)) - 1, lowest = 1 - bias;
  constexpr std::uint64_t infinity = ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits;
  constexpr std::uint64_t leading = std::uint64_t{1} << 52;
  const auto bits = with_bits_of<std::uint64_t>(x);
  const std::uint64_t sign = bits >> 63 << 15, fraction = bits & (leading - 1), significand = leading | fraction;
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  if (exponent == 1024 && fraction != 0) {  // NaN: the first bit of the fraction is set, so that it is not infinity
    return static_cast<std::uint16_t>(sign | infinity | 1u << (fraction_bits - 1) | fraction >> (52 - fraction_bits));
  }

  // The last bits go: more of them for a number below the smallest normal one, whose exponent would be too low.
  const int gone = 52 - fraction_bits + std::max(0, lowest - exponent);
  if (gone > 53) return static_cast<std::uint16_t>(sign);  // less than half of the smallest number
  const std::uint64_t half = std::uint64_t{1} << (gone - 1), odd = significand >> gone & 1;
  const std::uint64_t rounded = (significand + half - 1 + odd) >> gone;

  // The leading bit of `rounded` adds one to the exponent that stands before the fraction; so does a carry into it.
  const auto before = static_cast<std::uint64_t>(std::max(exponent, lowest) - lowest);
  return static_cast<std::uint16_t>(sign | std::min((before << fraction_bits) + rounded, infinity));
}

// The next smaller number: of positive ones the bits count up from 0, of negative ones down from −0.
template <class Half>
Half below(Half x) {
  const bool negative = x.bits >> 15, zero = (x.bits & 0x7fff) == 0;
  if (zero) {
    x.bits = 0x8001;
  } else {
    x.bits = static_cast<std::uint16_t>(negative ? x.bits + 1 : x.bits - 1);
  }
  return x;
}

#if defined(__x86_64__)
// Eight at once, as many as fill vectors; returns how many were converted.
__attribute__((target("avx,f16c"))) Size convert_by_f16c(const float* from, Float16* to, Size count) {
  Size i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), halves);
  }
  return i;
}

__attribute__((target("avx,f16c"))) Size convert_by_f16c(const Float16* from, float* to, Size count) {
  Size i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(halves));
  }
  return i;
}

bool processor_has_f16c() {
  unsigned a = 0, b = 0, features = 0, d = 0;
  return __builtin_cpu_supports("avx") && __get_cpuid(1, &a, &b, &features, &d) != 0 && (features & bit_F16C) != 0;
}
#else
template <class From, class To>
Size convert_by_f16c(const From*, To*, Size) {
  return 0;
}
bool processor_has_f16c() { return false; }
#endif

}  // namespace

Float16::Float16(double x) : bits(nearest<5, 10>(x)) {}
BFloat16::BFloat16(double x) : bits(nearest<8, 7>(x)) {}

Float16::operator float() const {
  const std::uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
  if (exponent == 31) {  // infinite, or NaN, of which float's first bit of the fraction is set
    return with_bits_of<float>(sign | 0x7f800000u | (fraction == 0 ? 0 : 0x400000u | fraction << 13));
  }
  if (exponent == 0) {  // fraction · 2⁻²⁴, exactly
    return with_bits_of<float>(sign | with_bits_of<std::uint32_t>(static_cast<float>(fraction) * 0x1p-24f));
  }
  return with_bits_of<float>(sign | (exponent + 127 - 15) << 23 | fraction << 13);
}

BFloat16::operator float() const { return with_bits_of<float>(std::uint32_t{bits} << 16); }

Float16 next_below(Float16 x) { return below(x); }
BFloat16 next_below(BFloat16 x) { return below(x); }

bool has_f16c() {
  static const bool has = processor_has_f16c();
  return has;
}

void convert(const float* from, Float16* to, Size count) {
  for (Size i = has_f16c() ? convert_by_f16c(from, to, count) : 0; i < count; ++i) to[i] = Float16(from[i]);
}

void convert(const Float16* from, float* to, Size count) {
  for (Size i = has_f16c() ? convert_by_f16c(from, to, count) : 0; i < count; ++i) to[i] = from[i];
}

// Exponents are those of float, so that the lower half only has to go; the compiler makes vector code of it.
void convert(const float* from, BFloat16* to, Size count) {
  for (Size i = 0; i < count; ++i) {
    const auto bits = with_bits_of<std::uint32_t>(from[i]);
    const std::uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16, nan = bits >> 16 | 0x40;
    to[i].bits = static_cast<std::uint16_t>((bits & 0x7fffffff) > 0x7f800000 ? nan : rounded);
  }
}

}  // namespace attend
