#include "tutorials/lesson/exponent.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace attend::lesson;

TEST_CASE("the exponent of a power is found") {
  CHECK(std::fabs(exponent({1, 2, 4}, {3, 12, 48}) - 2) < 1e-12);
  CHECK(std::fabs(exponent({2, 3, 5}, {10, 15, 25}) - 1) < 1e-12);
}
