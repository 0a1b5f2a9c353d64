// Exercise 1: attention along edges. Edge e leads from node sources[e] to node targets[e] and has the score scores[e].
// Each node takes a softmax over the edges that lead to it, and with these weights sums the values of the nodes that
// they come from:
//
//   weights[e]   = exp(scores[e]) / Σ exp(scores[e']) over the edges e' with the same target        [E]
//   context[i]   = Σ weights[e] · values[sources[e]] over the edges e with targets[e] = i            [nodes, d]
//
// A node that no edge leads to gets 0. Scores may be large, 1000 and more, and those of one node may lie far below
// those of another: take off the largest score of the same target first (the helper finds it; it needs no history).
// Nothing of nodes · nodes may be formed.
//
// Useful:
//   largest_by_target(scores, edges)   Tensor [nodes]: the largest score that leads to each node, 0 where none does
//   take(x, 0, ids)                    x[ids[e]] for each e: from nodes to edges
//   index_add(y, 0, ids, x)            y[ids[e]] += x[e] for each e: from edges to nodes
//   Var(Tensor::zeros(shape, scores.dtype())), unsqueeze(x, axis), exp(x)
#include "tutorials/15_graphs_trees_grids/exercise_1_edges.hpp"

#include "tutorials/15_graphs_trees_grids/largest.hpp"

namespace attend::chapter15 {
namespace {

Var your_edges(const Var& scores, const Var& values, const Edges& edges) {
  const Tensor sources = edges.sources(), targets = edges.targets();  // [E]
  const Var largest(largest_by_target(scores, edges));                // [nodes]
  Var context;
  // Your lines go here. At the end context is [nodes, d].

  (void)values;
  return context;
}

}  // namespace

std::vector<EdgesAnswer> edges_answers() { return {{"yours", your_edges}}; }

}  // namespace attend::chapter15
