#include "tutorials/15_graphs_trees_grids/largest.hpp"

#include <algorithm>

namespace attend::chapter15 {

Tensor largest_by_target(const Var& scores, const Edges& edges) {
  std::vector<double> largest(static_cast<std::size_t>(edges.nodes), 0);
  std::vector<bool> seen(largest.size(), false);
  const std::vector<double> all = scores.value().to_vector();
  const std::vector<std::int64_t> targets = edges.targets().to_ints();
  for (std::size_t e = 0; e < all.size(); ++e) {
    const auto node = static_cast<std::size_t>(targets[e]);
    largest[node] = seen[node] ? std::max(largest[node], all[e]) : all[e];
    seen[node] = true;
  }
  return Tensor::from(largest, {edges.nodes}, scores.dtype());
}

}  // namespace attend::chapter15
