#pragma once
#include <string>
#include <vector>

#include "nn/attention/core.hpp"

/// Which keys of one row of scores get a weight, and which a derivative.

namespace attend::chapter16 {

struct Normaliser {
  std::string name;
  AttentionCore core;
};
/// Softmax, entmax with α = 1.5, sparsemax, and the softmax of the `k` largest.
std::vector<Normaliser> normalisers(Size k);

/// The weights that a core gives to keys of these scores.
std::vector<double> weights_of(const AttentionCore& core, const std::vector<double>& scores);
/// How many are above 0.
Size support(const std::vector<double>& weights);

/// `relevant` scores of `gap`, and zeros up to `keys`: the row of which the support is known by a formula.
std::vector<double> row_with_gap(Size keys, Size relevant, double gap);

/// The largest derivative, without its sign, of the context with respect to the scores and to the values of keys with
/// weight 0; none where there are none: −1. The values are 1, 2, 3, ...
double derivative_outside(const AttentionCore& core, const std::vector<double>& scores);

}  // namespace attend::chapter16
