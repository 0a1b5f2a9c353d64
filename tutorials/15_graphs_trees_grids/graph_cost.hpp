#pragma once
#include "tutorials/15_graphs_trees_grids/graph_network.hpp"

/// What graph attention costs: counted, and by formula.

namespace attend::chapter15 {

/// A layer of 8 heads of 8 over inputs of this width.
struct GraphSize {
  Size nodes, edges;
  static constexpr Size in = 64, heads = 8, size = 8;
};

/// Multiplications of a forward pass of GAT or GATv2 over drawn edges, counted while it runs.
Size counted(GraphKind kind, const GraphSize& of);
/// The same by formula, with D = heads · size:
///   GAT      nodes · D · (in + 2)  +  edges · heads · (1 + size)
///   GATv2    nodes · D · 2 in      +  edges · heads · (1 + 2 size)
/// W h and the two halves of a · W h for each node; for each edge the division of the softmax and the weighted sum.
/// GATv2 multiplies a for each edge.
Size by_formula(GraphKind kind, const GraphSize& of);
/// The same if there were an edge from every node to every node.
Size over_all_pairs(GraphKind kind, const GraphSize& of);

}  // namespace attend::chapter15
