// What exercise 2 asks for, and what its check runs.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "tensor/random.hpp"

namespace attend::chapter11 {

/// A chain of layers of one form, each with a weight of its own: y = layer(… layer(layer(x, w[0]), w[1]) …, w[n−1]).
struct WeightedChain {
  std::function<Var(const Var& x, const Var& w, Rng& rng)> layer;
  Vars weights;
};

/// Layers first .. last − 1 of the chain.
inline Var run_part(const WeightedChain& chain, Size first, Size last, const Var& x, Rng& rng) {
  Var y = x;
  for (Size i = first; i < last; ++i) y = chain.layer(y, chain.weights[static_cast<std::size_t>(i)], rng);
  return y;
}

/// The first layer of segment i of s; that of segment s is n.
inline Size first_layer(const WeightedChain& chain, Size i, Size segments) {
  return i * static_cast<Size>(chain.weights.size()) / segments;
}

/// An answer: the gradients of Σ gy · y with respect to x and to each weight, in this order. `bug` is what the check
/// must name in one of the listed wrong answers.
struct SegmentsAnswer {
  std::string name;
  Vars (*gradients)(const WeightedChain& chain, const Var& x, const Var& gy, Size segments, Rng& rng);
  std::string bug = "";
};

std::vector<SegmentsAnswer> segments_answers();

}  // namespace attend::chapter11
