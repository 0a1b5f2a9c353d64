#include "tensor/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "tensor/inner/dispatch.hpp"

namespace attend {
namespace {

template <class Draw>
Tensor drawn(const Shape& shape, DType dtype, Draw draw) {
  Tensor out = Tensor::uninitialized(shape, dtype);
  by_dtype(dtype, [&](auto zero) {
    using T = decltype(zero);
    T* to = out.writable<T>();
    for (Size i = 0; i < out.size(); ++i) to[i] = static_cast<T>(draw());
  });
  return out;
}

float next_below(float x) { return std::nextafter(x, -std::numeric_limits<float>::infinity()); }
double next_below(double x) { return std::nextafter(x, -std::numeric_limits<double>::infinity()); }

// The largest number of the dtype below x.
double largest_below(double x, DType dtype) {
  return by_dtype(dtype, [x](auto zero) {
    using T = decltype(zero);
    const T nearest = static_cast<T>(x);
    if constexpr (std::is_integral_v<T>) {
      return static_cast<double>(nearest);  // not drawn
    } else {
      return static_cast<double>(static_cast<double>(nearest) < x ? nearest : next_below(nearest));
    }
  });
}

void check_dtype(DType dtype) {
  if (!is_floating(dtype)) throw std::invalid_argument(std::string("Rng: no random numbers of type ") + text(dtype));
}

}  // namespace

double Rng::uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

double Rng::normal() {
  if (!spare_.empty()) {
    const double value = spare_.back();
    spare_.pop_back();
    return value;
  }
  constexpr double two_pi = 6.283185307179586;
  const double radius = std::sqrt(-2 * std::log(1 - uniform())), angle = two_pi * uniform();
  spare_.push_back(radius * std::sin(angle));
  return radius * std::cos(angle);
}

std::int64_t Rng::below(std::int64_t n) {
  if (n < 1) throw std::invalid_argument("Rng: below(" + std::to_string(n) + "); the bound is at least 1");
  // Numbers past the last whole multiple of n are drawn again, so that every value is equally likely.
  const auto bound = static_cast<std::uint64_t>(n), rest = (UINT64_MAX % bound + 1) % bound;
  for (;;) {
    const std::uint64_t value = engine_();
    if (value <= UINT64_MAX - rest) return static_cast<std::int64_t>(value % bound);
  }
}

std::vector<std::int64_t> Rng::permutation(std::int64_t n) {
  if (n < 0) throw std::invalid_argument("Rng: permutation(" + std::to_string(n) + ")");
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  for (std::int64_t i = n - 1; i > 0; --i) {
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(below(i + 1))]);
  }
  return order;
}

Rng Rng::split() { return Rng(engine_()); }

Tensor Rng::uniform(const Shape& shape, double low, double high, DType dtype) {
  check_dtype(dtype);
  // Rounded, the largest draws may become `high` itself, which is not of the range.
  const double last = largest_below(high, dtype);
  return drawn(shape, dtype, [&] {
    const double value = low + (high - low) * uniform();
    return low < high ? std::min(value, last) : value;
  });
}

Tensor Rng::normal(const Shape& shape, double mean, double deviation, DType dtype) {
  check_dtype(dtype);
  return drawn(shape, dtype, [&] { return mean + deviation * normal(); });
}

Tensor Rng::bernoulli(const Shape& shape, double p) {
  if (!(p >= 0 && p <= 1)) {
    throw std::invalid_argument("Rng: bernoulli: p = " + std::to_string(p) + " is no probability, shape " +
                                text(shape));
  }
  return drawn(shape, DType::boolean, [&] { return uniform() < p; });
}

}  // namespace attend
