#pragma once
#include <cstdint>

#include "nn/attention/grid.hpp"
#include "nn/linear.hpp"
#include "tensor/random.hpp"

/// What a gate on a grid is for: a coarse grid says where, and the fine one has what stands there.

namespace attend::chapter15 {

/// Images of 8 × 8 with one digit in each quadrant and nothing elsewhere, and which quadrant is asked: 1 there.
struct RegionBatch {
  Tensor image;   // int64 [B, 8, 8]: a digit, or 10
  Tensor where;   // [B, 1, 2, 2]
  Tensor answer;  // int64 [B]: the digit of the quadrant
};
/// A digit stands in the inner 2 × 2 pixels of its quadrant or, `anywhere`, in any of its 4 × 4.
RegionBatch draw_regions(Size batch, bool anywhere, Rng& rng);

/// How often each digit stands in the image, summed over all pixels, through the gate or not, and the question beside
/// that -> scores of the digits, [B, 10].
struct RegionReader {
  AttentionGate gate;
  bool gated;
  Linear hidden, output;

  RegionReader(bool gated, Rng& rng);
  Var operator()(const RegionBatch& batch) const;
  void parameters(const Visit& visit);
};

/// The shares of right answers, with digits in the inner pixels, as in the training, and anywhere.
struct LearnedRegions {
  double inner, anywhere;
};
LearnedRegions learn_regions(bool gated, Size steps, std::uint64_t seed);

}  // namespace attend::chapter15
