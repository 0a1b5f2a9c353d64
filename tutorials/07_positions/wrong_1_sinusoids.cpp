// Wrong answers to exercise 1, each with the bug that the check must name.
#include <cmath>

#include "tutorials/07_positions/exercise_1_sinusoids.hpp"

namespace attend::chapter07 {
namespace {

double number(Size n) { return static_cast<double>(n); }
double frequency(Size i, Size width) { return std::pow(10000, -2 * number(i) / number(width)); }
double sine_or_cosine(Size c, double angle) { return c % 2 == 0 ? std::sin(angle) : std::cos(angle); }

// value(p, c, width) everywhere.
template <class Value>
Tensor filled(Size T, Size width, Value value) {
  std::vector<double> values;
  for (Size p = 0; p < T; ++p) {
    for (Size c = 0; c < width; ++c) values.push_back(value(p, c, width));
  }
  return Tensor::from(values, {T, width}, DType::float64);
}

Tensor unsolved(Size T, Size width) { return Tensor::zeros({T, width}, DType::float64); }

Tensor in_halves(Size T, Size width) {
  return filled(T, width, [](Size p, Size c, Size w) {
    const Size sines = (w + 1) / 2;
    return c < sines ? std::sin(number(p) * frequency(c, w)) : std::cos(number(p) * frequency(c - sines, w));
  });
}

Tensor unpaired(Size T, Size width) {
  return filled(T, width, [](Size p, Size c, Size w) {
    return sine_or_cosine(c, number(p) * std::pow(10000, -number(c) / number(w)));
  });
}

Tensor half_exponent(Size T, Size width) {
  return filled(T, width, [](Size p, Size c, Size w) {
    return sine_or_cosine(c, number(p) * std::pow(10000, -number(c / 2) / number(w)));
  });
}

Tensor whole_division(Size T, Size width) {
  return filled(T, width, [](Size p, Size c, Size w) {
    return sine_or_cosine(c, number(p) * std::pow(10000, -number(c / 2 * 2 / w)));
  });
}

Tensor exchanged(Size T, Size width) {
  return filled(T, width,
                [](Size p, Size c, Size w) { return sine_or_cosine(c + 1, number(p) * frequency(c / 2, w)); });
}

Tensor from_one(Size T, Size width) {
  return filled(T, width,
                [](Size p, Size c, Size w) { return sine_or_cosine(c, number(p + 1) * frequency(c / 2, w)); });
}

Tensor growing(Size T, Size width) {
  return filled(T, width, [](Size p, Size c, Size w) { return sine_or_cosine(c, number(p) / frequency(c / 2, w)); });
}

Tensor factor_outside(Size T, Size width) {
  return filled(T, width, [](Size p, Size c, Size w) { return sine_or_cosine(c, number(p)) * frequency(c / 2, w); });
}

Tensor transposed(Size T, Size width) {
  const Tensor right =
      filled(T, width, [](Size p, Size c, Size w) { return sine_or_cosine(c, number(p) * frequency(c / 2, w)); });
  return transpose(right);
}

Tensor odd_cut(Size T, Size width) {
  return filled(T, width, [](Size p, Size c, Size w) {
    return c == w - 1 && w % 2 == 1 ? 0 : sine_or_cosine(c, number(p) * frequency(c / 2, w));
  });
}

Tensor rounded_up(Size T, Size width) {
  return filled(T, width,
                [](Size p, Size c, Size w) { return sine_or_cosine(c, number(p) * frequency(c / 2, w + w % 2)); });
}

Tensor rounded_down(Size T, Size width) {
  return filled(T, width,
                [](Size p, Size c, Size w) { return sine_or_cosine(c, number(p) * frequency(c / 2, w - w % 2)); });
}

}  // namespace

std::vector<SinusoidAnswer> sinusoid_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"sines, then cosines", in_halves, "first half"},
      {"each number has a frequency of its own", unpaired, "another frequency than its sine"},
      {"i in place of 2i", half_exponent, "exponent is −i / width"},
      {"division of whole numbers", whole_division, "whole numbers"},
      {"cosine first", exchanged, "have changed places"},
      {"positions from 1", from_one, "begins with 1"},
      {"the sign of the exponent", growing, "grow"},
      {"the factor outside", factor_outside, "outside of the sine"},
      {"transposed", transposed, "a row for each position"},
      {"the last of an odd width is 0", odd_cut, "has no partner"},
      {"an odd width rounded up", rounded_up, "rounded up"},
      {"an odd width rounded down", rounded_down, "rounded down"},
  };
}

}  // namespace attend::chapter07
