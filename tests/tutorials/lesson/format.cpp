#include "tutorials/lesson/format.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

using namespace attend::lesson;

TEST_CASE("numbers are written as documented") {
  CHECK(fixed(0.98765, 3) == "0.988");
  CHECK(fixed(NAN, 2) == "nan");
  CHECK(significant(0.012345, 3) == "0.0123");
  CHECK(significant(1.5e-11, 2) == "1.5e-11");
  CHECK(significant(600, 4) == "600");
  CHECK(exact(0.1) == "0.1");
  CHECK(std::stod(exact(1.0 / 3)) == 1.0 / 3);
  CHECK(percent(0.5) == "50.0 %");
}

TEST_CASE("thousands are set apart") {
  CHECK(count(0) == "0");
  CHECK(count(999) == "999");
  CHECK(count(1000) == "1,000");
  CHECK(count(1234567) == "1,234,567");
  CHECK(count(-123456) == "-123,456");
}

TEST_CASE("durations read like a clock") {
  CHECK(duration(0.42) == "0.42 s");
  CHECK(duration(8.06) == "8.1 s");
  CHECK(duration(9.97) == "10 s");
  CHECK(duration(59.7) == "1 min 00 s");
  CHECK(duration(125) == "2 min 05 s");
  CHECK(duration(3720) == "1 h 02 min");
  CHECK(duration(INFINITY) == "?");
}

TEST_CASE("a pattern is filled from left to right") {
  CHECK(fill("{} of {}", {"3", "7"}) == "3 of 7");
  CHECK(fill("{}", {"{}"}) == "{}");
  CHECK_THROWS_AS(fill("{} {}", {"one"}), std::invalid_argument);
}
