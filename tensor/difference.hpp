#pragma once
#include "tensor/tensor.hpp"

namespace attend {

/// max |a − b|; infinite when the shapes differ, NaN when an element is. Throws std::invalid_argument for tensors
/// without elements.
double largest_difference(const Tensor& a, const Tensor& b);

}  // namespace attend
