// The numbers of the normal distribution in float32, for special.hpp and kernels/avx512/normal.cpp: polynomials
// c₀ + c₁ x + c₂ x² + ..., by Remez' criterion.
#pragma once

namespace attend::normal_numbers {

/// exp(−x²/2) for |x| ≤ 13, where it is a normal number. With y = −x²/2 log₂e, n the nearest integer and f = y − n it
/// is 2ⁿ (1 + f P(f)), within 4.5e-9 of it but for the rounding of y, whose share of the relative error grows with x².
constexpr float half_log2e = 0.721347520f;
constexpr float P[] = {0.693147188f, 0.240226498f, 0.0555035743f, 0.00961823751f, 0.00133907355f, 0.000154035068f};

/// For x < 0, Φ(x) = exp(−x²/2) R(−x), where R is Mills' ratio over √(2π): above / below, within 4.8e-9 of it on
/// 0 .. 13. Its relative error is that of the exponential, in the tail too, where ½ (1 + erf(x/√2)) has lost all
/// digits.
constexpr float above[] = {0.500000002f, 0.434976578f, 0.180784302f, 0.0398088901f, 0.00399437096f};
constexpr float below[] = {1.0f, 1.66783806f, 1.19230687f, 0.463001571f, 0.0997937411f, 0.010012253f};

constexpr float limit = 13;  // from where on Φ is as good as 0 or 1

}  // namespace attend::normal_numbers
