// Numbers of 16 bits, half the memory of a float. They are stored and moved, never computed with: a kernel widens them
// to float32, computes, and rounds its result back, once.
//
//              exponent  fraction   largest   smallest normal   rounding, relative
//   Float16       5         10       65504         2⁻¹⁴               2⁻¹¹            IEEE 754's binary16
//   BFloat16      8          7      3.4e38         2⁻¹²⁶              2⁻⁸             the upper half of a float
#pragma once
#include <cstdint>

#include "tensor/shape.hpp"

namespace attend {

/// The nearest number of the format; of two that are equally near, the one whose last bit is 0. What lies beyond the
/// largest by half of its last place or more becomes infinite (from 65520 on), below the smallest normal number the
/// last places go one by one, and NaN stays NaN.
struct Float16 {
  std::uint16_t bits;

  Float16() = default;
  explicit Float16(double x);
  operator float() const;
};

struct BFloat16 {
  std::uint16_t bits;

  BFloat16() = default;
  explicit BFloat16(double x);
  operator float() const;
};

/// `count` numbers at once, for runs of float32: by the processor's own instructions (F16C) where it has them, with the
/// bits that the conversions above give.
void convert(const float* from, Float16* to, Size count);
void convert(const Float16* from, float* to, Size count);
void convert(const float* from, BFloat16* to, Size count);
/// Whether this processor has F16C.
bool has_f16c();

/// The next smaller number.
Float16 next_below(Float16 x);
BFloat16 next_below(BFloat16 x);

}  // namespace attend
