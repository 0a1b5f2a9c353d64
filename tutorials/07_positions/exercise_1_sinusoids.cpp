// Exercise 1: write sinusoidal positions, for any width.
//
//   P[p, 2i]     = sin(p · 10000^(−2i / width))
//   P[p, 2i + 1] = cos(p · 10000^(−2i / width))
//
// Neighbours are a pair and share one frequency. An odd width ends with a sine that has no partner.
//
// Useful: std::sin, std::cos, std::pow(base, exponent). p, c and width are whole numbers: c / 2 rounds down, and
// c / width is 0. static_cast<double>(c) makes a number with a point of it.
#include "tutorials/07_positions/exercise_1_sinusoids.hpp"

#include <cmath>

namespace attend::chapter07 {

Tensor positions(Size T, Size width) {
  std::vector<double> values;
  for (Size p = 0; p < T; ++p) {
    for (Size c = 0; c < width; ++c) {
      double value = 0;
      // Your lines go here. At the end, value is P[p, c].

      values.push_back(value);
    }
  }
  return Tensor::from(values, {T, width}, DType::float64);
}

std::vector<SinusoidAnswer> sinusoid_answers() { return {{"yours", positions}}; }

}  // namespace attend::chapter07
