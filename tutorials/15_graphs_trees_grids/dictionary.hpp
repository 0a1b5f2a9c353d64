#pragma once
#include <cstdint>
#include <vector>

#include "tutorials/15_graphs_trees_grids/graph_network.hpp"

/// Dictionary lookup, a task that an attention solves only if each query can choose another key. Brody, Alon, Yahav
/// 2021 (arXiv:2105.14491), section 4.3.

namespace attend::chapter15 {

/// Each ordering of k values is a graph: k key nodes, each with its value, lead to k query nodes, each of which asks
/// for the value of one key. All orderings stand in one list of nodes: keys and queries of the first, of the second,
/// and so on.
struct Dictionary {
  Size keys;
  std::vector<std::int64_t> symbols;  // of each node: 0 .. k − 1 is a key, k .. 2 k − 1 asks for one
  std::vector<std::int64_t> values;   // of each node: 0 .. k − 1, and k of a query, which has none
  std::vector<std::int64_t> queries;  // the nodes that ask
  std::vector<std::int64_t> wanted;   // their answers
  bool turned;                        // whether the edges lead the other way
  Edges edges;                        // from each key to each query of its graph, query by query

  /// With `turn`, from each query to each key. Throws std::invalid_argument for keys beyond 2 to 5.
  explicit Dictionary(Size keys, bool turn = false);
};

/// What a layer makes of it after training: one layer of one head of width 16 between embeddings and a linear layer.
struct LookedUp {
  double right;    // the share of answers
  Tensor weights;  // of the first graph, [k, k]: who attends, to whom
};
/// With `slope` 1 the leaky relu is no function at all.
LookedUp look_up(GraphKind kind, const Dictionary& dictionary, double slope, Size steps, Rng& rng);

/// How many pairs of columns some rows rank in one order and others in the other. Weights that rounding alone may tell
/// apart are in no order.
Size contested_pairs(const Tensor& weights);

}  // namespace attend::chapter15
