#include "tutorials/lesson/median.hpp"

#include <doctest/doctest.h>

using namespace attend::lesson;

TEST_CASE("the median is the middle value, or the mean of the two in the middle") {
  CHECK(median({6, 1, 2}) == 2);
  CHECK(median({6, 1, 2, 4}) == 3);
  CHECK(median({5}) == 5);
}

TEST_CASE("what is timed runs as often as was asked for") {
  int runs = 0;
  CHECK(median_milliseconds(4, [&] { ++runs; }) >= 0);
  CHECK(runs == 4);
}
