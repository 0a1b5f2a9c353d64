#include "tutorials/15_graphs_trees_grids/graph_network.hpp"

#include "tutorials/lesson/difference.hpp"

namespace attend::chapter15 {

NeighbourMean::NeighbourMean(Size in, Size size, Size heads, Rng& rng, const GraphAttentionOptions& options)
    : layer(in, size, heads, rng, options) {
  layer.target = layer.source = Var(Tensor::zeros({heads, size}));
}

double share_right(const Tensor& named, const NodeTask& task) {
  const Tensor asked = ids_of(task.asked);
  return lesson::share_equal(kernel::take(named, 0, asked), kernel::take(ids_of(task.labels), 0, asked));
}

double learn_nodes(GraphKind kind, const NodeTask& task, const NodePlan& plan, Rng& rng) {
  const auto right_with = [&](const auto& network) { return share_right(named_by(network, task), task); };
  if (kind == GraphKind::mean) return right_with(learned_network<NeighbourMean>(task, plan, rng));
  if (kind == GraphKind::attention) return right_with(learned_network<GraphAttention>(task, plan, rng));
  return right_with(learned_network<DynamicGraphAttention>(task, plan, rng));
}

}  // namespace attend::chapter15
