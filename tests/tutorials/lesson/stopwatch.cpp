#include "tutorials/lesson/stopwatch.hpp"

#include <doctest/doctest.h>

using attend::lesson::Stopwatch;

TEST_CASE("a stopwatch never runs backwards") {
  Stopwatch watch;
  const double first = watch.seconds();
  const double second = watch.seconds();
  CHECK(first >= 0);
  CHECK(second >= first);
}
