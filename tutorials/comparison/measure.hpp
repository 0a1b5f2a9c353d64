#pragma once

#include "nn/variants/variant.hpp"
#include "tutorials/lesson/size.hpp"

/// What a variant of attention costs at one length, and how far its result is from that of softmax attention.

namespace attend::comparison {

struct Measured {
  Size T;
  double multiplications, bytes;  // of a forward pass: multiplications, and bytes read and written
  double peak_bytes;              // beyond the inputs, in forward and backward
  double milliseconds;            // of forward and backward, the middle one of several
  double error;                   // ‖context − softmax's‖ / ‖softmax's‖, on inputs of the deviation below
};

/// One head of width d, float32, one sequence, no mask. q and k are normal with a deviation of 1/2, so that the scores
/// are small enough for every variant to have a chance; v is normal with 1.
Measured measure(const Variant& variant, Size T, Size d, Size rounds, std::uint64_t seed);

}  // namespace attend::comparison
