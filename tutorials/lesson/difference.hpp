#pragma once

#include "tensor/tensor.hpp"

/// How far two tensors are apart, in how many places they are equal, and other questions of checks and claims.

namespace attend::lesson {

/// max |a − b|; infinite when the shapes differ, NaN when an element is. Throws std::invalid_argument for tensors
/// without elements.
double largest_difference(const Tensor& a, const Tensor& b);

/// Whether the shapes are equal and all elements nearly so: for checks in float64.
bool close(const Tensor& a, const Tensor& b);

/// Whether all sums along the axis are nearly 1: those of weights are.
bool sums_to_one(const Tensor& weights, Size axis);

/// The share of places at which two tensors of one shape are equal: of answers that are right, say.
double share_equal(const Tensor& a, const Tensor& b);

}  // namespace attend::lesson
