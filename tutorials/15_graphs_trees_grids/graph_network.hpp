#pragma once
#include <string>
#include <vector>

#include "nn/attention/graph.hpp"
#include "nn/loss.hpp"
#include "nn/optimizer.hpp"
#include "tensor/kernels.hpp"
#include "tutorials/15_graphs_trees_grids/graph_file.hpp"

/// A network of two layers over a graph, and how it learns from the few nodes whose class is shown.

namespace attend::chapter15 {

/// What stands in the layers.
enum class GraphKind { mean, attention, dynamic };

/// All neighbours alike: graph attention whose a stays 0.
struct NeighbourMean {
  GraphAttention layer;

  NeighbourMean(Size in, Size size, Size heads, Rng& rng, const GraphAttentionOptions& options = {});
  Attended operator()(const Var& h, const Edges& edges, Rng* rng = evaluation) const { return layer(h, edges, rng); }
  void parameters(const Visit& visit) { visit("weight", layer.weight); }
};

/// The network of the paper, twice as wide: 8 heads of 16, concatenated, then a layer as wide as there are classes.
///   scores = layer₂(elu(layer₁(x)))        x [nodes, words] -> [nodes, 128] -> [nodes, classes]
template <class Layer>
struct GraphNetwork {
  static constexpr Size heads = 8, size = 16;
  Layer first, second;

  GraphNetwork(Size words, Size classes, Rng& rng, const GraphAttentionOptions& options)
      : first(words, size, heads, rng, options), second(heads * size, classes, 1, rng, options) {}
  Var operator()(const Var& x, const Edges& edges, Rng* rng = evaluation) const {
    return second(elu(first(x, edges, rng).context), edges, rng).context;
  }
  void parameters(const Visit& visit) {
    visit("first", first);
    visit("second", second);
  }
};

/// Nodes with what is known of them, of which some are shown with their class.
struct NodeTask {
  Tensor x;                          // [nodes, words]
  Edges edges;                       // with self-loops
  std::vector<std::int64_t> labels;  // of all nodes
  std::vector<std::int64_t> shown, asked;
  Size classes;
};

/// Weight decay and dropout are those of the paper, whose rate is 0.005 and which stops early instead.
struct NodePlan {
  Size steps = 50;
  double rate = 0.003, weight_decay = 5e-4, dropout = 0.6;
};

/// Trains on the nodes that are shown; the loss knows nothing of the others, but their words flow along the edges.
template <class Layer>
GraphNetwork<Layer> learned_network(const NodeTask& task, const NodePlan& plan, Rng& rng) {
  GraphAttentionOptions options;
  options.dropout = plan.dropout;
  GraphNetwork<Layer> network(task.x.shape()[1], task.classes, rng, options);
  AdamOptions with_decay;
  with_decay.weight_decay = plan.weight_decay;
  Adam adam(plan.rate, with_decay);
  const Tensor shown = ids_of(task.shown), wanted = kernel::take(ids_of(task.labels), 0, shown);
  for (Size step = 0; step < plan.steps; ++step) {
    const Var scores = take(network(Var(task.x), task.edges, &rng), 0, shown);
    adam.step(network, grad(cross_entropy(scores, wanted), parameters(network)));
  }
  return network;
}

/// The class that each node is given: int64 [nodes].
template <class Layer>
Tensor named_by(const GraphNetwork<Layer>& network, const NodeTask& task) {
  const Recording off(false);
  return argmax(network(Var(task.x), task.edges), 1);
}

/// Of the nodes asked for, the share that is named rightly.
double share_right(const Tensor& named, const NodeTask& task);

/// Trains a network of this kind, and says what share is right.
double learn_nodes(GraphKind kind, const NodeTask& task, const NodePlan& plan, Rng& rng);

}  // namespace attend::chapter15
