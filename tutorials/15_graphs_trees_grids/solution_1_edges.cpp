// Solution of exercise 1.
#include "tutorials/15_graphs_trees_grids/exercise_1_edges.hpp"
#include "tutorials/15_graphs_trees_grids/largest.hpp"

namespace attend::chapter15 {
namespace {

Var solved(const Var& scores, const Var& values, const Edges& edges) {
  const Tensor sources = edges.sources(), targets = edges.targets();                                   // [E]
  const Var largest(largest_by_target(scores, edges));                                                 // [nodes]
  const Var parts = exp(scores - take(largest, 0, targets));                                           // [E]
  const Var totals = index_add(Var(Tensor::zeros({edges.nodes}, scores.dtype())), 0, targets, parts);  // [nodes]
  const Var weights = parts / take(totals, 0, targets);                                                // [E]
  const Var sent = unsqueeze(weights, 1) * take(values, 0, sources);                                   // [E, d]
  return index_add(Var(Tensor::zeros(values.shape(), scores.dtype())), 0, targets, sent);              // [nodes, d]
}

}  // namespace

std::vector<EdgesAnswer> edges_answers() { return {{"the solution", solved}}; }

}  // namespace attend::chapter15
