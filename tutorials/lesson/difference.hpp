#pragma once

#include "tensor/difference.hpp"

/// How far two tensors are apart, in how many places they are equal, and other questions of checks and claims.

namespace attend::lesson {

using attend::largest_difference;

/// Whether the shapes are equal and all elements nearly so: for checks in float64.
bool close(const Tensor& a, const Tensor& b);

/// Whether all sums along the axis are nearly 1: those of weights are.
bool sums_to_one(const Tensor& weights, Size axis);

/// The share of places at which two tensors of one shape are equal: of answers that are right, say.
double share_equal(const Tensor& a, const Tensor& b);

}  // namespace attend::lesson
