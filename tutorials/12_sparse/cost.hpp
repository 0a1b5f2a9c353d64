#pragma once
#include "nn/variants/variant.hpp"

/// The variants whose cost is counted and timed.

namespace attend::chapter12 {

/// The variants of the sparse family in their usual settings, softmax attention first. With `dense_mask` the local
/// window is a mask over all pairs.
std::vector<Variant> costed(bool dense_mask);

}  // namespace attend::chapter12
