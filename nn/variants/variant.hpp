// The variants of attention in one list, so that what must hold for all of them, and what compares them, is written
// once: tests/nn/variants.cpp, ./attend identities, ./attend variants. A new one enters by a line in the file of its
// family.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "nn/attention/core.hpp"

namespace attend {

/// What holds for a variant, to be or-ed together.
namespace trait {
constexpr unsigned causal = 1;       // it takes causal_mask; else it refuses it
constexpr unsigned padding = 2;      // it takes padding_mask; else it refuses it
constexpr unsigned equivariant = 4;  // permuted positions give permuted results
constexpr unsigned averages = 8;     // its weights are >= 0 and add up to 1
constexpr unsigned shared = 16;      // it makes its keys of its queries, and looks at no k
constexpr unsigned kinked = 32;      // its derivative jumps between inputs, as where a weight of sparsemax reaches 0
}  // namespace trait

/// A variant between the heads of a multi-head layer.
struct Variant {
  std::string name;    // "local window"
  std::string source;  // authors, year, arXiv number
  unsigned traits;
  /// Its usual settings for T positions of width d; what it draws, and what it learns at first, comes from rng.
  std::function<AttentionCore(Size T, Size d, Rng& rng)> make;
  /// The multiplications of a forward pass of one head in these settings, as CostCounter counts them.
  std::function<Size(Size T, Size d)> multiplications;

  bool has(unsigned trait) const { return (traits & trait) != 0; }
};

/// A statement that two computations agree, one of which is usually a variant in a limit where it must be something
/// known.
struct Identity {
  std::string text;                  // "window >= T is softmax attention"
  double limit;                      // how far apart they may be; 0: the same numbers
  std::function<double()> residual;  // the largest difference, measured
};

struct Family {
  std::string name;  // "sparse"
  std::vector<Variant> variants;
  std::vector<Identity> identities;
};

/// All families, in the order of the chapters. Softmax attention itself is the first variant of the first.
const std::vector<Family>& families();

Family sparse_family();
Family low_rank_family();
Family kernel_family();
Family hashing_family();
Family structure_family();
Family dynamic_family();

}  // namespace attend
