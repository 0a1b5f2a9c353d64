#include "tutorials/15_graphs_trees_grids/graph_cost.hpp"

#include "tensor/cost.hpp"

namespace attend::chapter15 {
namespace {

template <class Layer>
Size counted_with(const GraphSize& of) {
  Rng rng(1);
  const Layer layer(GraphSize::in, GraphSize::size, GraphSize::heads, rng);
  std::vector<std::int64_t> ends;
  for (Size e = 0; e < 2 * of.edges; ++e) ends.push_back(rng.below(of.nodes));
  const Edges edges(Tensor::from_ints(ends, {2, of.edges}), of.nodes);
  const Var h(rng.normal({of.nodes, GraphSize::in}, 0, 1));
  const Recording off(false);
  const CostCounter counter;
  layer(h, edges);
  return counter.total().multiplications;
}

}  // namespace

Size counted(GraphKind kind, const GraphSize& of) {
  return kind == GraphKind::dynamic ? counted_with<DynamicGraphAttention>(of) : counted_with<GraphAttention>(of);
}

Size by_formula(GraphKind kind, const GraphSize& of) {
  constexpr Size in = GraphSize::in, heads = GraphSize::heads, size = GraphSize::size, D = heads * size;
  if (kind == GraphKind::dynamic) return of.nodes * D * 2 * in + of.edges * heads * (1 + 2 * size);
  return of.nodes * D * (in + 2) + of.edges * heads * (1 + size);
}

Size over_all_pairs(GraphKind kind, const GraphSize& of) { return by_formula(kind, {of.nodes, of.nodes * of.nodes}); }

}  // namespace attend::chapter15
