#pragma once
#include "autograd/ops.hpp"

namespace attend {

/// Rotary positions. Su et al. 2021 (arXiv:2104.09864). The pairs (2i, 2i + 1) of the last axis are turned by the angle
/// p · base^(−2i / d):
///   y[2i] = x[2i] cos − x[2i+1] sin        y[2i+1] = x[2i] sin + x[2i+1] cos
/// so that the product of a turned query and a turned key depends on their distance only. Neighbours form a pair, as in
/// the paper; many libraries pair i with i + d/2 instead.
/// x [..., T, d] with even d -> the same; position `first` for the first of T. Queries and keys are turned, values are
/// not. Throws std::invalid_argument for an odd d, and a base that is not above 0.
Var rotary(const Var& x, Size first = 0, double base = 10000);

/// The same by given positions [T], of any kind of number.
Var rotary_at(const Var& x, const Tensor& positions, double base = 10000);

}  // namespace attend
