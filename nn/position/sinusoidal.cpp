#include "nn/position/sinusoidal.hpp"

#include <cmath>
#include <stdexcept>

namespace attend {

Tensor sinusoidal_positions(Size T, Size width, Size first, double base, DType dtype) {
  if (width < 1 || T < 0) {
    throw std::invalid_argument("sinusoidal positions: " + std::to_string(T) + " positions of width " +
                                std::to_string(width));
  }
  std::vector<double> values;
  for (Size p = first; p < first + T; ++p) {
    for (Size c = 0; c < width; ++c) {
      const double frequency = std::pow(base, -static_cast<double>(c / 2 * 2) / static_cast<double>(width));
      const double angle = static_cast<double>(p) * frequency;
      values.push_back(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
  return Tensor::from(values, {T, width}, dtype);
}

Var add_sinusoidal_positions(const Var& x, Size first) {
  const auto [B, T, width] = dims<3>(x, "sinusoidal positions");
  static_cast<void>(B);
  return x + Var(sinusoidal_positions(T, width, first, 10000, x.dtype()));
}

LearnedPositions::LearnedPositions(Size most, Size width, Rng& rng) : table(normal_init({most, width}, 0, 0.02, rng)) {}

Var LearnedPositions::operator()(const Var& x, Size first) const {
  const auto [B, T, width] = dims<3>(x, "learned positions");
  static_cast<void>(B);
  if (first < 0 || first + T > table.shape()[0] || width != table.shape()[1]) {
    throw std::invalid_argument("learned positions: " + text(x.shape()) + " from position " + std::to_string(first) +
                                " does not fit the table " + text(table.shape()));
  }
  return x + slice(table, 0, first, T);
}

}  // namespace attend
