#pragma once

#include <vector>

namespace attend::lesson {

/// The slope of log y against log x, by least squares: how y grows as a power of x.
double exponent(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace attend::lesson
