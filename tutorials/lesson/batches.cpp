#include "tutorials/lesson/batches.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace attend::lesson {

std::vector<std::vector<std::int64_t>> shuffled_batches(Size n, Size batch_size, Rng& rng) {
  if (batch_size < 1) {
    throw std::invalid_argument("shuffled_batches: a batch of " + std::to_string(batch_size));
  }
  const std::vector<std::int64_t> order = rng.permutation(n);
  std::vector<std::vector<std::int64_t>> batches;
  for (Size begin = 0; begin < n; begin += batch_size) {
    batches.emplace_back(order.begin() + begin, order.begin() + std::min(begin + batch_size, n));
  }
  return batches;
}

}  // namespace attend::lesson
