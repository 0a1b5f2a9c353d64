#include "nn/position/sinusoidal.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace attend {

Tensor sinusoidal_positions(Size T, Size width, Size first, double base, DType dtype) {
  if (width < 1 || T < 0 || first > std::numeric_limits<Size>::max() - T || !(base > 0) || !is_floating(dtype)) {
    throw std::invalid_argument("sinusoidal positions: " + std::to_string(T) + " positions from " +
                                std::to_string(first) + " on, of width " + std::to_string(width) + ", base " +
                                std::to_string(base) + ", as " + text(dtype));
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
  return x + Var(sinusoidal_positions(T, width, first, 10000, x.dtype()));
}

LearnedPositions::LearnedPositions(Size most, Size width, Rng& rng) {
  if (most < 1 || width < 1) {
    throw std::invalid_argument("learned positions: " + std::to_string(most) + " positions of width " +
                                std::to_string(width));
  }
  table = normal_init({most, width}, 0, 0.02, rng);
}

Var LearnedPositions::operator()(const Var& x, Size first) const {
  const auto [B, T, width] = dims<3>(x, "learned positions");
  if (first < 0 || first > table.shape()[0] - T || width != table.shape()[1]) {
    throw std::invalid_argument("learned positions: " + text(x.shape()) + " from position " + std::to_string(first) +
                                " does not fit the table " + text(table.shape()));
  }
  return x + slice(table, 0, first, T);
}

}  // namespace attend
