// Random numbers that are the same on every machine and with every standard library.
#pragma once
#include <cstdint>
#include <random>
#include <vector>

#include "tensor/tensor.hpp"

namespace attend {

/// A stream of random numbers. The engine (mt19937_64) is fixed by the C++ standard; the distributions are our own,
/// because std::normal_distribution and its kin differ between libraries. Copying an Rng copies its place in the
/// stream.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [0, 1), a multiple of 2⁻⁵³.
  double uniform();
  /// Normal with mean 0 and variance 1 (Box and Muller 1958).
  double normal();
  /// Uniform in 0 .. n − 1. Throws std::invalid_argument when n < 1.
  std::int64_t below(std::int64_t n);
  /// 0 .. n − 1 in random order (Fisher and Yates).
  std::vector<std::int64_t> permutation(std::int64_t n);
  /// A stream of its own for a part of the program: drawing from it does not move this one beyond one number.
  Rng split();

  /// Tensors of float32, float64 or a half: uniform in [low, high); normal with the given mean and standard deviation;
  /// and 0/1 draws with P(1) = p as a bool tensor, for which p must be within 0 .. 1 (std::invalid_argument). Values
  /// are drawn in row-major order. Throws std::invalid_argument for another dtype.
  Tensor uniform(const Shape& shape, double low, double high, DType dtype = DType::float32);
  Tensor normal(const Shape& shape, double mean, double deviation, DType dtype = DType::float32);
  Tensor bernoulli(const Shape& shape, double p);

  friend bool operator==(const Rng& a, const Rng& b) { return a.engine_ == b.engine_ && a.spare_ == b.spare_; }
  friend bool operator!=(const Rng& a, const Rng& b) { return !(a == b); }

 private:
  std::mt19937_64 engine_;
  std::vector<double> spare_;  // Box and Muller make normals in pairs: the second waits here
};

}  // namespace attend
