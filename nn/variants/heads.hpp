// What the identities of the families share: inputs, and how far two results are apart.
#pragma once
#include "nn/variants/variant.hpp"
#include "tensor/difference.hpp"

namespace attend {

/// q, k and v between heads for one identity: normal numbers, float64, of sizes that all differ.
struct Heads {
  Var q, k, v;

  explicit Heads(Size T, Size d = 5, Size dv = 4, std::uint64_t seed = 7) {
    Rng rng(seed);
    q = rng.normal({2, 3, T, d}, 0, 1, DType::float64);
    k = rng.normal({2, 3, T, d}, 0, 1, DType::float64);
    v = rng.normal({2, 3, T, dv}, 0, 1, DType::float64);
  }
  template <class Core>
  Var operator()(const Core& core, const Mask& mask = {}) const {
    return core(q, k, v, mask).context;
  }
};

inline double apart(const Var& a, const Var& b) { return largest_difference(a.value(), b.value()); }

}  // namespace attend
