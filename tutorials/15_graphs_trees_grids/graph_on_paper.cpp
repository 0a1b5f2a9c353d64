#include "tutorials/15_graphs_trees_grids/graph_on_paper.hpp"

namespace attend::chapter15 {

Edges paper_edges() { return {Tensor::from_ints({0, 1, 2, 2}, {2, 2}), 4}; }

Edges paper_edges_with_loops(bool twice) {
  const Edges once = add_self_loops(paper_edges());
  if (!twice) return once;
  const Var loops(add_self_loops({Tensor::from_ints({}, {2, 0}), 4}).ends);
  return {concat({Var(once.ends), loops}, 1).value(), 4};
}

PaperResult paper_attention(const Edges& edges) {
  Rng rng(1);
  GraphAttention layer = cast(GraphAttention(1, 1, 1, rng), DType::float64);
  layer.weight.weight = layer.target = layer.source = Var(Tensor::ones({1, 1}, DType::float64));
  const Attended found = layer(Var(Tensor::from({1, 2, -1, 5}, {4, 1}, DType::float64)), edges);
  return {found.weights.value().to_vector(), found.context.value().to_vector()};
}

}  // namespace attend::chapter15
