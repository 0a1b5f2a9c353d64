#include "tests/support/compare.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace attend::test {
namespace {

std::string number(double value) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.17g", value);
  return digits;
}

bool is_close(double found, double expected, double atol, double rtol) {
  if (found == expected) return true;
  if (!std::isfinite(found) || !std::isfinite(expected)) return false;
  return std::fabs(found - expected) <= atol + rtol * std::fabs(expected);
}

std::string index_text(Size place, const Shape& shape) {
  Sizes index = shape;
  for (Size axis = shape.size(); axis-- > 0;) {
    index[axis] = place % shape[axis];
    place /= shape[axis];
  }
  return text(index);
}

void report(const std::string& wrong, const char* file, int line) {
  if (!wrong.empty()) ADD_FAIL_CHECK_AT(file, line, wrong);
}

template <class T>
bool same_memory(const Tensor& a, const Tensor& b) {
  const Tensor x = contiguous(a), y = contiguous(b);
  return std::memcmp(x.data<T>(), y.data<T>(), static_cast<std::size_t>(x.size()) * sizeof(T)) == 0;
}

}  // namespace

std::string difference(const Tensor& found, const Shape& shape, const std::vector<double>& expected, double atol,
                       double rtol) {
  if (static_cast<Size>(expected.size()) != element_count(shape)) {
    return "the test itself expects " + std::to_string(expected.size()) + " numbers for shape " + text(shape);
  }
  if (!found.defined()) return "there is no tensor at all";
  if (found.shape() != shape) return "shape " + text(found.shape()) + ", expected " + text(shape);
  const std::vector<double> values = found.to_vector();
  std::string first;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_close(values[i], expected[i], atol, rtol)) continue;
    if (wrong++ > 0) continue;
    first = "at " + index_text(static_cast<Size>(i), shape) + " " + number(values[i]) + ", expected " +
            number(expected[i]) + " (difference " + number(values[i] - expected[i]) + ")";
  }
  if (wrong == 0) return "";
  return first + "; " + std::to_string(wrong) + " of " + std::to_string(values.size()) + " numbers differ";
}

void check_close(const Var& found, const Shape& shape, const std::vector<double>& expected, double atol, double rtol,
                 const char* file, int line) {
  report(difference(found.value(), shape, expected, atol, rtol), file, line);
}

void check_close(double found, double expected, double atol, double rtol, const char* file, int line) {
  if (!is_close(found, expected, atol, rtol)) report(number(found) + ", expected " + number(expected), file, line);
}

void check_agree(const Var& found, const Var& expected, double atol, double rtol, const char* file, int line) {
  report(difference(found.value(), expected.shape(), expected.value().to_vector(), atol, rtol), file, line);
}

bool same_bits(const Var& a, const Var& b) {
  if (a.shape() != b.shape() || a.dtype() != b.dtype()) return false;
  switch (a.dtype()) {
    case DType::float32:
      return same_memory<float>(a.value(), b.value());
    case DType::float64:
      return same_memory<double>(a.value(), b.value());
    case DType::float16:
      return same_memory<Float16>(a.value(), b.value());
    case DType::bfloat16:
      return same_memory<BFloat16>(a.value(), b.value());
    case DType::int64:
      return same_memory<std::int64_t>(a.value(), b.value());
    case DType::boolean:
      break;
  }
  return same_memory<bool>(a.value(), b.value());
}

bool same_bits(const Vars& a, const Vars& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Var& one, const Var& other) { return same_bits(one, other); });
}

void check_throws_with(const std::function<void()>& f, const std::vector<std::string>& texts, const char* file,
                       int line) {
  try {
    f();
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::size_t at = message.find(texts[i]);
      const bool right = i == 0 ? at == 0 : at != std::string::npos;
      if (!right)
        report("\"" + message + "\" lacks \"" + texts[i] + "\"" + (i == 0 ? " at its start" : ""), file, line);
    }
    return;
  } catch (const std::exception& error) {
    report(std::string("throws something else than std::invalid_argument: ") + error.what(), file, line);
    return;
  }
  report("throws nothing, expected \"" + texts[0] + " ...\"", file, line);
}

}  // namespace attend::test
