#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tutorials/lesson/size.hpp"

/// Numbers as text. The only part that knows the formatting library; everything else calls these.

namespace attend::lesson {

/// `value` with `digits` digits after the point: fixed(0.98765, 3) is "0.988". "nan" and "inf" as they are.
std::string fixed(double value, Size digits);

/// `value` with at most `digits` significant digits and no trailing zeros: significant(0.012345, 3) is "0.0123",
/// significant(1.5e-11, 2) is "1.5e-11".
std::string significant(double value, Size digits);

/// The shortest text that reads back as the very same double.
std::string exact(double value);

/// A fraction as percent: percent(0.9925, 1) is "99.2 %" or "99.3 %", as the double rounds.
std::string percent(double fraction, Size digits = 1);

/// A whole number with its thousands set apart: count(1234567) is "1,234,567".
std::string count(std::int64_t value);

/// A span of time: "0.42 s", "8.1 s", "45 s", "2 min 05 s", "1 h 02 min".
std::string duration(double seconds);

/// `pattern` with each {} replaced by the next of `values`: fill("{} of {}", {"3", "7"}) is "3 of 7".
/// Throws std::invalid_argument when there are fewer values than holes.
std::string fill(std::string_view pattern, const std::vector<std::string>& values);

}  // namespace attend::lesson
