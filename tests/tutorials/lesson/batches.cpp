#include "tutorials/lesson/batches.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

using namespace attend;
using namespace attend::lesson;

TEST_CASE("an epoch has every example once, in batches whose last may be smaller") {
  Rng rng(1);
  const auto batches = shuffled_batches(10, 4, rng);
  REQUIRE(batches.size() == 3);
  CHECK(batches[2].size() == 2);
  std::vector<std::int64_t> all;
  for (const auto& batch : batches) all.insert(all.end(), batch.begin(), batch.end());
  CHECK(!std::is_sorted(all.begin(), all.end()));
  std::sort(all.begin(), all.end());
  std::vector<std::int64_t> expected(10);
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(all == expected);
  CHECK(shuffled_batches(0, 4, rng).empty());
  CHECK_THROWS_AS(shuffled_batches(3, 0, rng), std::invalid_argument);
}
