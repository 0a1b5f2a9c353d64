#include <cmath>

#include "nn/attention/graph.hpp"
#include "nn/attention/local.hpp"
#include "nn/attention/tree.hpp"
#include "nn/variants/structure.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

Edges edges_from(const Mask& mask, Size nodes) {  // j -> i where query i may attend to key j
  std::vector<std::int64_t> sources, targets;
  const Tensor allowed = mask.allowed();
  for (Size i = 0; i < nodes; ++i) {
    for (Size j = 0; j < nodes; ++j) {
      if (allowed.at({0, 0, i, j}) == 0) continue;
      sources.push_back(j);
      targets.push_back(i);
    }
  }
  const Size count = static_cast<Size>(sources.size());
  sources.insert(sources.end(), targets.begin(), targets.end());
  return {Tensor::from_ints(sources, {2, count}), nodes};
}

Mask everyone(Size nodes) { return Mask(Tensor::ones({nodes, nodes}, DType::boolean)); }
Mask some_pairs(Size nodes) { return Mask(Rng(9).bernoulli({nodes, nodes}, 0.4)); }

// Scaled dot-product attention of positions as nodes.
Var dot_attention_along(const Heads& in, const Edges& edges) {
  const auto as_nodes = [](const Var& x) { return permute(x, {2, 0, 1, 3}); };  // [T, B, H, d]
  const Var q = take(as_nodes(in.q), 0, edges.targets()), k = take(as_nodes(in.k), 0, edges.sources());
  const Var scores = sum(q * k, {3}, true) / std::sqrt(static_cast<double>(in.q.shape()[3]));  // [E, B, H, 1]
  const Var sent = softmax_by_target(scores, edges) * take(as_nodes(in.v), 0, edges.sources());
  return permute(sum_by_target(sent, edges), {1, 2, 0, 3});  // [B, H, T, dv]
}

// A graph attention of 3 heads of 4 for 7 nodes of width 5, and what it is given.
constexpr Size nodes = 7;

template <class Layer = GraphAttention>
Layer graph_layer(double slope = 0.2) {
  Rng rng(4);
  GraphAttentionOptions options;
  options.slope = slope;
  return cast(Layer(5, 4, 3, rng, options), DType::float64);
}

Var node_features() { return Var(Rng(5).normal({nodes, 5}, 0, 1, DType::float64)); }

// The weights over a complete graph as [targets, sources, heads].
Var complete_weights(double slope) {
  const Var weights = graph_layer(slope)(node_features(), edges_from(everyone(nodes), nodes)).weights;
  return reshape(weights, {nodes, nodes, 3});
}

// Graph attention with all scores of all pairs, and a mask.
Var dense_graph_attention(const GraphAttention& layer, const Var& h, const Mask& mask) {
  const Var Wh = split_heads(unsqueeze(layer.weight(h), 0), 3);  // [1, heads, nodes, 4]
  const auto half = [&](const Var& a) { return matmul(Wh, unsqueeze(unsqueeze(a, 0), 3)); };
  const Var scores = leaky_relu(half(layer.target) + transpose(half(layer.source)), layer.options.slope);
  return squeeze(merge_heads(matmul(attention_weights(scores, mask), Wh)), {0});
}

// How far the results for permuted nodes are from the permuted results.
template <class Layer>
double apart_from_permuted() {
  const Edges edges = edges_from(some_pairs(nodes), nodes);
  const std::vector<std::int64_t> was = {3, 0, 6, 2, 1, 5, 4};  // of each node, before
  std::vector<std::int64_t> now(was.size());
  for (std::size_t i = 0; i < was.size(); ++i) now[static_cast<std::size_t>(was[i])] = static_cast<Size>(i);
  const auto permuted = [&](const Var& x) { return take(x, 0, Tensor::from_ints(was, {nodes})); };
  const Edges other(kernel::take(Tensor::from_ints(now, {nodes}), 0, edges.ends), nodes);
  const Layer layer = graph_layer<Layer>();
  const Var h = node_features();
  return apart(layer(permuted(h), other).context, permuted(layer(h, edges).context));
}

}  // namespace

std::vector<Identity> graph_identities() {
  return {
      {"along the edges of a complete graph = softmax attention", 1e-12,
       [] {
         const Heads in(9);
         return apart(dot_attention_along(in, edges_from(everyone(9), 9)), in(SoftmaxAttention()));
       }},
      {"along the edges of a chain with self loops = local window of 1", 1e-12,
       [] {
         const Heads in(9);
         return apart(dot_attention_along(in, edges_from(band_mask(9, 9, 1, 1), 9)), in(LocalAttention(1, 1)));
       }},
      {"graph attention along edges = with all pairs and a mask", 1e-12,
       [] {
         const GraphAttention layer = graph_layer();
         const Mask mask = some_pairs(nodes);
         const Var h = node_features();
         return apart(layer(h, edges_from(mask, nodes)).context, dense_graph_attention(layer, h, mask));
       }},
      {"graph attention with a of 0 = the mean of the neighbours", 1e-12,
       [] {
         GraphAttention layer = graph_layer();
         layer.target = 0.0 * layer.target, layer.source = 0.0 * layer.source;
         const Edges edges = edges_from(some_pairs(nodes), nodes);
         const Var sent = take(layer.weight(node_features()), 0, edges.sources());
         const Var degree = sum_by_target(Var(Tensor::ones({edges.count(), 1}, DType::float64)), edges);
         const Var at_least_one = maximum(degree, Var(Tensor::ones({}, DType::float64)));
         return apart(layer(node_features(), edges).context, sum_by_target(sent, edges) / at_least_one);
       }},
      {"graph attention of slope 1 over a complete graph = the same weights for every node", 1e-12,
       [] {
         const Var weights = complete_weights(1);
         return apart(weights, broadcast_to(slice(weights, 0, 0, 1), weights.shape()));
       }},
      {"graph attention over a complete graph = the same ranking for every node", 0,
       [] {
         const Var ranking(argsort(complete_weights(0.2), 1));
         return apart(cast(ranking, DType::float64),
                      cast(broadcast_to(slice(ranking, 0, 0, 1), ranking.shape()), DType::float64));
       }},
      {"dynamic graph attention of slope 1, its matrices equal = graph attention of slope 1 with halves of a equal",
       1e-12,
       [] {
         GraphAttention first = graph_layer(1);
         DynamicGraphAttention second = graph_layer<DynamicGraphAttention>(1);
         second.target_weight = second.source_weight = first.weight;
         first.source = first.target = second.score;
         const Edges edges = edges_from(some_pairs(nodes), nodes);
         return apart(first(node_features(), edges).context, second(node_features(), edges).context);
       }},
      {"graph attention with permuted nodes = permuted results", 1e-12, apart_from_permuted<GraphAttention>},
      {"dynamic graph attention with permuted nodes = permuted results", 1e-12,
       apart_from_permuted<DynamicGraphAttention>},
      {"self loops added twice = once", 0,
       [] {
         const Edges once = add_self_loops(edges_from(some_pairs(nodes), nodes));
         return apart(cast(Var(add_self_loops(once).ends), DType::float64), cast(Var(once.ends), DType::float64));
       }},
      {"under the ancestor mask of a star = along its edges with self loops", 1e-12,
       [] {
         const Heads in(5);
         const Edges star(Tensor::from_ints({0, 0, 0, 0, 1, 2, 3, 4}, {2, 4}), 5);
         return apart(softmax_under(in, ancestor_mask({Tree({-1, 0, 0, 0, 0})}, 5)),
                      dot_attention_along(in, add_self_loops(star)));
       }},
  };
}

}  // namespace attend
