#pragma once

#include <cstdint>
#include <vector>

#include "tensor/random.hpp"
#include "tutorials/lesson/size.hpp"

/// In which order a training goes through its examples.

namespace attend::lesson {

/// The numbers 0 … n − 1 in random order, cut into batches: one epoch. The last batch may be smaller. Throws
/// std::invalid_argument for a batch size below 1.
std::vector<std::vector<std::int64_t>> shuffled_batches(Size n, Size batch_size, Rng& rng);

}  // namespace attend::lesson
