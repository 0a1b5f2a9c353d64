#include "nn/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attend {
namespace {

void check(const char* schedule, Size t, Size steps) {
  if (t >= 1 && steps >= 1) return;
  throw std::invalid_argument(std::string(schedule) + ": step " + std::to_string(t) + " of " + std::to_string(steps) +
                              "; steps count from 1");
}

double number(Size n) { return static_cast<double>(n); }

}  // namespace

double step_rate(Size t, double rate, Size every, double factor) {
  check("step_rate", t, every);
  return rate * std::pow(factor, number((t - 1) / every));
}

double cosine_rate(Size t, double rate, Size steps, double last) {
  check("cosine_rate", t, steps);
  if (t >= steps) return last;
  constexpr double pi = 3.141592653589793;
  return last + (rate - last) * 0.5 * (1 + std::cos(pi * number(t - 1) / number(steps - 1)));
}

double warm_up(Size t, Size steps) {
  check("warm_up", t, steps);
  return std::min(1.0, number(t) / number(steps));
}

double inverse_square_root_rate(Size t, Size width, Size warm) {
  check("inverse_square_root_rate", t, warm);
  if (width < 1) throw std::invalid_argument("inverse_square_root_rate: width " + std::to_string(width));
  return std::min(1 / std::sqrt(number(t)), number(t) * std::pow(number(warm), -1.5)) / std::sqrt(number(width));
}

}  // namespace attend
