// Attention between the nodes of a graph: each node attends to those from which an edge leads to it. The work is that
// of the edges, E; nothing of nodes · nodes is formed.
#pragma once
#include "nn/attention/attended.hpp"
#include "nn/dropout.hpp"
#include "nn/linear.hpp"

namespace attend {

/// The edges of a graph, j -> i: int64 [2, E], sources j above targets i (as PyTorch Geometric's edge_index). An edge
/// that stands twice counts twice.
struct Edges {
  Tensor ends;  // [2, E]
  Size nodes;

  /// Throws std::invalid_argument for anything but int64 [2, E], and for an edge from or to a node that is not there.
  Edges(const Tensor& ends, Size nodes);
  Size count() const { return ends.shape()[1]; }
  Tensor sources() const;  // [E]
  Tensor targets() const;  // [E]
};

/// The same graph where each node has exactly one edge to itself: those it has already are not doubled. They stand
/// last, in the order of the nodes, behind the other edges in theirs.
Edges add_self_loops(const Edges& edges);

/// What the edges bring to each node, added up: x [E, ...] -> [nodes, ...]; 0 where none leads to.
Var sum_by_target(const Var& x, const Edges& edges);
/// Softmax over the edges that lead to the same node: scores [E, ...] -> [E, ...]. The largest score of each node is
/// taken off before exp; it is a constant, since the result does not depend on it.
Var softmax_by_target(const Var& scores, const Edges& edges);

struct GraphAttentionOptions {
  bool average = false;  // of the heads; else they are concatenated
  double slope = 0.2;    // of the leaky relu
  double dropout = 0;    // of the inputs, and of the weights after the softmax; needs an Rng
};

/// Graph attention. Veličković et al. 2017 (arXiv:1710.10903).
///   e_ij = leaky_relu(aᵀ [W h_i ; W h_j])        α_ij = softmax over the edges j -> i        y_i = Σ α_ij W h_j
/// h [nodes, in] -> context [nodes, heads · size], or [nodes, size] where the heads are averaged, weights α [E, heads]
/// (those before dropout). Its attention is static: all nodes rank their neighbours alike, for i only adds a constant
/// under a function that grows. The paper's graphs have an edge from each node to itself: see add_self_loops. A node
/// that no edge leads to gets 0. Its nonlinearity behind y, and a bias, are left to what follows; the second dropout of
/// its released code, on W h, is left out.
struct GraphAttention {
  Linear weight;       // W [in, heads · size], without bias
  Var target, source;  // the two halves of a: [heads, size]
  Size heads;
  GraphAttentionOptions options;

  /// Throws std::invalid_argument for sizes below 1 and a dropout that is no probability.
  GraphAttention(Size in, Size size, Size heads, Rng& rng, const GraphAttentionOptions& options = {});
  /// Throws std::invalid_argument when h has not as many rows as there are nodes.
  Attended operator()(const Var& h, const Edges& edges, Rng* rng = evaluation) const;
  void parameters(const Visit& visit);
};

/// Graph attention of the second version. Brody, Alon, Yahav 2021 (arXiv:2105.14491).
///   e_ij = aᵀ leaky_relu(W [h_i ; h_j])        α_ij = softmax over the edges j -> i        y_i = Σ α_ij W_source h_j
/// with W = [W_target ; W_source]. The leaky relu stands between W and a, so that each node can rank its neighbours in
/// its own way. All else is as in GraphAttention, of which it is twice the parameters.
struct DynamicGraphAttention {
  Linear target_weight, source_weight;  // [in, heads · size], without bias
  Var score;                            // a [heads, size]
  Size heads;
  GraphAttentionOptions options;

  DynamicGraphAttention(Size in, Size size, Size heads, Rng& rng, const GraphAttentionOptions& options = {});
  Attended operator()(const Var& h, const Edges& edges, Rng* rng = evaluation) const;
  void parameters(const Visit& visit);
};

}  // namespace attend
