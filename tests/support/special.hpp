// The numbers that are none, for the tests of special values.
#pragma once
#include <limits>

namespace attend::test {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace attend::test
