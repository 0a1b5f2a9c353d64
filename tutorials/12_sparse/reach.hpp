#pragma once
#include <optional>

#include "tutorials/12_sparse/patterns.hpp"

/// How far a stack of layers reaches: measured by the zeros of its gradients.

namespace attend::chapter12 {

/// Layer after layer, x = core(x, x, x): x [B, 1, T, d].
Var through(const std::vector<AttentionCore>& layers, Var x, const Mask& mask = {});

/// What each position of the last layer depends on: float64 [T, T], row = position of the result, 1 where its
/// derivative to that position of the input is anything but 0.
Tensor reached(const std::vector<AttentionCore>& layers, Size T, std::uint64_t seed, const Mask& mask = {});

/// The number of layers after which the last position sees the first, and all see all; none up to `most`: nothing.
struct Reach {
  std::optional<Size> last_sees_first, all_see_all;
};
Reach reach(const Contender& of, Size T, Size most, std::uint64_t seed);

/// The example on paper: window of 1 on each side over 4 positions, all scores 0. The derivative of the last position's
/// result to the first one's value, after 1, 2, 3 layers.
std::vector<double> on_paper();

}  // namespace attend::chapter12
