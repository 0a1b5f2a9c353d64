// Exercise 2: scores with which each node can rank its neighbours in its own way (GATv2). An edge e leads from node j,
// sources[e], to node i, targets[e], and i attends:
//
//   scores[e] = aᵀ leaky_relu(W_targetᵀ h_i + W_sourceᵀ h_j)        slope 0.2        [E]
//
// Node after node first, and then from nodes to edges: a product with W for each edge would cost edges · in · D, and
// there are more edges than nodes.
//
// Useful:
//   matmul(h, W)            [nodes, in] · [in, D] -> [nodes, D]
//   take(x, 0, ids)         x[ids[e]] for each e: from nodes to edges
//   leaky_relu(x, 0.2)      x where x > 0, else 0.2 x
//   sum(x, {1})             over the last axis of [E, D]
#include "tutorials/15_graphs_trees_grids/exercise_2_dynamic.hpp"

namespace attend::chapter15 {
namespace {

Var your_scores(const Var& h, const Edges& edges, const Var& W_target, const Var& W_source, const Var& a) {
  const Tensor sources = edges.sources(), targets = edges.targets();  // [E]
  Var scores;
  // Your lines go here. At the end scores is [E].

  (void)h, (void)W_target, (void)W_source, (void)a;
  return scores;
}

}  // namespace

std::vector<DynamicAnswer> dynamic_answers() { return {{"yours", your_scores}}; }

}  // namespace attend::chapter15
