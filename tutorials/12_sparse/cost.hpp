#pragma once
#include "nn/variants/variant.hpp"

/// What the sparse variants cost, counted and timed.

namespace attend::chapter12 {

/// The variants of the sparse family in their usual settings, softmax attention first. With `dense_mask` the local
/// window is a mask over all pairs.
std::vector<Variant> costed(bool dense_mask);

/// The multiplications of a forward pass of one head of width d over T positions, counted while it runs.
Size counted(const Variant& variant, Size T, Size d);

/// The same pass in milliseconds of the processor: the middle one of several.
double milliseconds(const Variant& variant, Size T, Size d, Size rounds, std::uint64_t seed);

}  // namespace attend::chapter12
