#pragma once
#include <algorithm>
#include <vector>

namespace attend {

/// The middle one of the values, or the upper of the two in the middle.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace attend
