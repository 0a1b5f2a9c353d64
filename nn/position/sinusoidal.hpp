#pragma once
#include "nn/init.hpp"
#include "nn/parameters.hpp"

namespace attend {

/// Sinusoidal positions. Vaswani et al. 2017 (arXiv:1706.03762), section 3.5.
///   P[p, 2i] = sin(p · base^(−2i / width))        P[p, 2i+1] = cos(p · base^(−2i / width))
/// positions first .. first + T − 1 -> [T, width], of any width: an odd one ends with a sine. Throws
/// std::invalid_argument for a width below 1, a base that is not above 0, and a dtype that holds no fractions.
Tensor sinusoidal_positions(Size T, Size width, Size first = 0, double base = 10000, DType dtype = DType::float32);

/// x [B, T, width] plus its positions. The paper multiplies embeddings by √width before it adds; that is the caller's.
Var add_sinusoidal_positions(const Var& x, Size first = 0);

/// Learned positions: a table [most, width], of which x [B, T, width] gets the first T rows added.
struct LearnedPositions {
  Var table;

  /// Throws std::invalid_argument for sizes below 1.
  LearnedPositions(Size most, Size width, Rng& rng);
  /// Throws std::invalid_argument for positions past the table.
  Var operator()(const Var& x, Size first = 0) const;
  void parameters(const Visit& visit) { visit("table", table); }
};

}  // namespace attend
