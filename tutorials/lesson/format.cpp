#include "tutorials/lesson/format.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace attend::lesson {

std::string fixed(double value, Size digits) { return fmt::format("{:.{}f}", value, digits); }

std::string significant(double value, Size digits) { return fmt::format("{:.{}g}", value, digits); }

std::string exact(double value) { return fmt::format("{}", value); }

std::string percent(double fraction, Size digits) { return fmt::format("{:.{}f} %", 100 * fraction, digits); }

std::string count(std::int64_t value) {
  std::string digits = fmt::format("{}", value);
  const Size first = value < 0 ? 1 : 0;
  for (Size at = size_of(digits) - 3; at > first; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  if (seconds < 0.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::lround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string fill(std::string_view pattern, const std::vector<std::string>& values) {
  fmt::dynamic_format_arg_store<fmt::format_context> arguments;
  for (const std::string& value : values) arguments.push_back(value);
  try {
    return fmt::vformat(fmt::string_view(pattern.data(), pattern.size()), arguments);
  } catch (const fmt::format_error& error) {
    throw std::invalid_argument("fill: " + std::string(error.what()) + " in \"" + std::string(pattern) + "\"");
  }
}

}  // namespace attend::lesson
