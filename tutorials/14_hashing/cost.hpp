#pragma once
#include <vector>

#include "nn/variants/variant.hpp"

/// What hashes cost beside all pairs.

namespace attend::chapter14 {

/// Softmax attention, and the hashing family in its usual settings.
std::vector<Variant> costed();

/// The memory of a forward and a backward pass of one head of width d over T positions, at its peak and beyond the
/// inputs, in bytes.
double peak_bytes(const Variant& variant, Size T, Size d, std::uint64_t seed);

}  // namespace attend::chapter14
