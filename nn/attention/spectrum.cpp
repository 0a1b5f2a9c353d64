#include "nn/attention/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tensor/kernels.hpp"

namespace attend {

AttentionSpectrum attention_spectrum(const Var& q, const Var& k) {
  if (q.rank() != 2 || q.shape() != k.shape()) {
    throw std::invalid_argument("attention_spectrum: queries " + text(q.shape()) + " and keys " + text(k.shape()) +
                                "; both are [T, d]");
  }
  const Var scores = matmul(q, transpose(k)) * (1 / std::sqrt(static_cast<double>(q.shape()[1])));  // [T, T]
  return {kernel::singular_values(scores.value()), kernel::singular_values(softmax(scores).value())};
}

Size rank_of(const Tensor& singular_values) {
  const std::vector<double> values = singular_values.to_vector();
  if (values.empty()) return 0;
  const double epsilon = singular_values.dtype() == DType::float64 ? std::numeric_limits<double>::epsilon()
                                                                   : std::numeric_limits<float>::epsilon();
  const double rounding = static_cast<double>(values.size()) * epsilon * values.front();
  return std::count_if(values.begin(), values.end(), [&](double value) { return value > rounding; });
}

Size energy_rank(const Tensor& singular_values, double share) {
  if (!(share > 0 && share <= 1)) {
    throw std::invalid_argument("energy_rank: the share " + std::to_string(share) + " is not within (0, 1]");
  }
  const std::vector<double> values = singular_values.to_vector();
  double energy = 0, held = 0;
  for (double value : values) energy += value * value;
  Size count = 0;
  for (double value : values) {
    if (held >= share * energy) break;
    held += value * value;
    ++count;
  }
  return count;
}

}  // namespace attend
