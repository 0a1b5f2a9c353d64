#pragma once
#include "nn/init.hpp"
#include "nn/parameters.hpp"

namespace attend {

/// A learned vector for each of n symbols.
/// ids [i...], int64 in 0 .. n − 1 -> [i..., size]. The table [n, size] begins normal with variance 1/size, so that a
/// vector has length about 1.
struct Embedding {
  Var table;

  /// Throws std::invalid_argument for sizes below 1.
  Embedding(Size n, Size size, Rng& rng);
  /// Throws std::invalid_argument for an id out of range.
  Var operator()(const Tensor& ids) const;
  void parameters(const Visit& visit);
};

}  // namespace attend
