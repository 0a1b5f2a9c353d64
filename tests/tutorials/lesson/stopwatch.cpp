#include "tutorials/lesson/stopwatch.hpp"

#include <doctest/doctest.h>

using attend::lesson::Stopwatch;

TEST_CASE("a stopwatch never runs backwards and starts again when told") {
  Stopwatch watch;
  const double first = watch.seconds();
  const double second = watch.seconds();
  CHECK(first >= 0);
  CHECK(second >= first);
  watch.restart();
  CHECK(watch.seconds() >= 0);
}
