// α-entmax over the last axis, row by row. It is computed in double, whatever the row's dtype.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "tensor/cost.hpp"
#include "tensor/inner/dispatch.hpp"
#include "tensor/inner/run.hpp"
#include "tensor/kernels.hpp"

namespace attend::kernel {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The largest element; NaN where there is one.
template <class T>
double max_or_nan(const T* x, Size count) {
  double largest = -infinity;
  for (Size i = 0; i < count; ++i) {
    if (std::isnan(x[i])) return std::numeric_limits<double>::quiet_NaN();
    largest = std::max(largest, static_cast<double>(x[i]));
  }
  return largest;
}

// The τ with Σ max(z − τ, 0) = 1, exactly: of the largest r elements, in order, each is above the τ that they alone
// would have, as long as they are in the support. z holds all elements that may be.
double sparsemax_threshold(std::vector<double>& z) {
  std::sort(z.begin(), z.end(), std::greater<>());
  double sum = 0, threshold = 0;
  for (std::size_t r = 0; r < z.size(); ++r) {
    sum += z[r];
    const double next = (sum - 1) / static_cast<double>(r + 1);
    if (z[r] <= next) break;
    threshold = next;
  }
  return threshold;
}

// The τ with Σ max(z − τ, 0)^(1 / (α − 1)) = 1, by bisection to the last bit. With the largest z = 0, that one alone
// gives 1 at τ = −1, and each of n gives 1 / n at most at τ = −(1 / n)^(α − 1).
double entmax_threshold(const std::vector<double>& z, double alpha) {
  double low = -1, high = -std::pow(static_cast<double>(z.size()), 1 - alpha);
  while (true) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) return low;
    double total = 0;
    for (double value : z) total += value > middle ? std::pow(value - middle, 1 / (alpha - 1)) : 0;
    (total >= 1 ? low : high) = middle;
  }
}

template <class T>
void entmax_row(const T* x, double alpha, T* y, Size count) {
  const double largest = max_or_nan(x, count);
  if (!std::isfinite(largest)) {
    std::fill(y, y + count, largest == -infinity ? T(0) : std::numeric_limits<T>::quiet_NaN());
    return;
  }
  const auto shifted = [=](Size i) { return (alpha - 1) * (static_cast<double>(x[i]) - largest); };
  std::vector<double> candidates;  // what is 1 or more below the largest has no part
  for (Size i = 0; i < count; ++i) {
    if (shifted(i) > -1) candidates.push_back(shifted(i));
  }
  const double threshold = alpha == 2 ? sparsemax_threshold(candidates) : entmax_threshold(candidates, alpha);
  const auto share = [=](double z) { return z > threshold ? std::pow(z - threshold, 1 / (alpha - 1)) : 0; };
  double total = 0;  // 1, up to the rounding of the threshold
  for (double z : candidates) total += share(z);
  for (Size i = 0; i < count; ++i) y[i] = static_cast<T>(share(shifted(i)) / total);
}

}  // namespace

Tensor entmax(const Tensor& x_, double alpha) {
  check_floating("entmax", x_);
  if (x_.rank() == 0) throw std::invalid_argument("entmax: a number has no axis to normalise: shape []");
  if (!(alpha > 1) || std::isinf(alpha)) {
    throw std::invalid_argument("entmax: alpha " + std::to_string(alpha) + " must be above 1 and finite");
  }
  if (is_half(x_.dtype())) return rounded(entmax(widened(x_), alpha), x_.dtype());
  const Tensor x = contiguous(x_);
  Tensor y = Tensor::uninitialized(x.shape(), x.dtype());
  note_cost("entmax", {x.size(), x.size() * width(x.dtype()), x.size() * width(x.dtype())});
  const Size count = x.shape().back();
  by_floating("entmax", x, [&](auto zero) {
    using T = decltype(zero);
    const T* from = x.data<T>();
    T* to = y.writable<T>();
    parallel_rows(x, [=](Size at) { entmax_row(from + at, alpha, to + at, count); });
  });
  return y;
}

}  // namespace attend::kernel
