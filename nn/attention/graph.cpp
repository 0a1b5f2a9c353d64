#include "nn/attention/graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tensor/kernels.hpp"

namespace attend {
namespace {

// The width of all heads together, once the arguments are seen to fit: a layer that is refused has drawn no number.
Size checked_width(const char* op, Size in, Size size, Size heads, const GraphAttentionOptions& options) {
  if (in < 1 || size < 1 || heads < 1) {
    throw std::invalid_argument(std::string(op) + ": " + std::to_string(heads) + " heads of " + std::to_string(size) +
                                " for inputs of " + std::to_string(in));
  }
  if (!(options.dropout >= 0 && options.dropout <= 1)) {
    throw std::invalid_argument(std::string(op) + ": dropout " + std::to_string(options.dropout) +
                                " is no probability");
  }
  return heads * size;
}

void check_nodes(const char* op, const Var& h, const Edges& edges) {
  if (h.rank() == 2 && h.shape()[0] == edges.nodes) return;
  throw std::invalid_argument(std::string(op) + ": h " + text(h.shape()) + " for a graph of " +
                              std::to_string(edges.nodes) + " nodes; it is [nodes, in]");
}

Var in_heads(const Var& x, Size heads) { return reshape(x, {x.shape()[0], heads, x.shape()[1] / heads}); }

// From scores [E, heads] and what each node sends [nodes, heads, size].
Attended along_edges(const Var& scores, const Var& sent, const Edges& edges, const GraphAttentionOptions& options,
                     Rng* rng) {
  const Var weights = softmax_by_target(scores, edges);  // [E, heads]
  const Var used = unsqueeze(dropout(weights, options.dropout, rng), 2);
  const Var y = sum_by_target(used * take(sent, 0, edges.sources()), edges);  // [nodes, heads, size]
  if (options.average) return {mean(y, {1}), weights};
  return {reshape(y, {y.shape()[0], y.shape()[1] * y.shape()[2]}), weights};
}

// The largest of the rows of x [E, ...] that lead to the same node: [nodes, ...]; −∞ where none does.
Tensor largest_by_target(const Tensor& x, const Edges& edges) {
  Shape shape = x.shape();
  shape[0] = edges.nodes;
  const Size width = edges.count() == 0 ? 0 : x.size() / edges.count();
  std::vector<double> largest(static_cast<std::size_t>(element_count(shape)), -std::numeric_limits<double>::infinity());
  const std::vector<double> values = x.to_vector();
  auto value = values.begin();
  for (Size target : edges.targets().to_ints()) {
    for (Size c = 0; c < width; ++c, ++value) {
      double& so_far = largest[static_cast<std::size_t>(target * width + c)];
      so_far = std::max(so_far, *value);
    }
  }
  return Tensor::from(largest, shape, x.dtype());
}

}  // namespace

Edges::Edges(const Tensor& given, Size number_of_nodes) : ends(given), nodes(number_of_nodes) {
  if (ends.dtype() != DType::int64 || ends.rank() != 2 || ends.shape()[0] != 2 || nodes < 0) {
    throw std::invalid_argument(std::string("edges: ") + text(ends.dtype()) + " " + text(ends.shape()) + " between " +
                                std::to_string(nodes) + " nodes; they are int64 [2, E], sources above targets");
  }
  const std::vector<std::int64_t> all = ends.to_ints();
  const auto elsewhere = std::find_if(all.begin(), all.end(), [&](Size node) { return node < 0 || node >= nodes; });
  if (elsewhere == all.end()) return;
  throw std::invalid_argument("edges: edge " + std::to_string((elsewhere - all.begin()) % count()) + " ends at node " +
                              std::to_string(*elsewhere) + " of " + std::to_string(nodes));
}

Tensor Edges::sources() const { return reshape(slice(ends, 0, 0, 1), {count()}); }
Tensor Edges::targets() const { return reshape(slice(ends, 0, 1, 1), {count()}); }

Edges add_self_loops(const Edges& edges) {
  const std::vector<std::int64_t> from = edges.sources().to_ints(), to = edges.targets().to_ints();
  std::vector<std::int64_t> sources, targets;
  for (std::size_t e = 0; e < from.size(); ++e) {
    if (from[e] == to[e]) continue;
    sources.push_back(from[e]);
    targets.push_back(to[e]);
  }
  for (Size node = 0; node < edges.nodes; ++node) {
    sources.push_back(node);
    targets.push_back(node);
  }
  const Size count = static_cast<Size>(sources.size());
  sources.insert(sources.end(), targets.begin(), targets.end());
  return {Tensor::from_ints(sources, {2, count}), edges.nodes};
}

Var sum_by_target(const Var& x, const Edges& edges) {
  Shape shape = x.shape();
  shape[0] = edges.nodes;
  return index_add(Var(Tensor::zeros(shape, x.dtype())), 0, edges.targets(), x);
}

Var softmax_by_target(const Var& scores, const Edges& edges) {
  const Tensor targets = edges.targets();
  const Tensor largest = kernel::take(largest_by_target(scores.value(), edges), 0, targets);  // [E, ...]
  const Var e = exp(scores - Var(largest));
  return e / take(sum_by_target(e, edges), 0, targets);
}

GraphAttention::GraphAttention(Size in, Size size, Size number_of_heads, Rng& rng, const GraphAttentionOptions& how)
    : weight(in, checked_width("graph attention", in, size, number_of_heads, how), rng, false),
      heads(number_of_heads),
      options(how) {
  const double limit = std::sqrt(6 / static_cast<double>(2 * size + 1));  // a is a layer from 2 · size to 1
  target = uniform_init({heads, size}, -limit, limit, rng);
  source = uniform_init({heads, size}, -limit, limit, rng);
}

Attended GraphAttention::operator()(const Var& h, const Edges& edges, Rng* rng) const {
  check_nodes("graph attention", h, edges);
  const Var Wh = in_heads(weight(dropout(h, options.dropout, rng)), heads);                      // [nodes, heads, size]
  const Var of_target = sum(Wh * target, {2}), of_source = sum(Wh * source, {2});                // [nodes, heads]
  const Var scores = take(of_target, 0, edges.targets()) + take(of_source, 0, edges.sources());  // [E, heads]
  return along_edges(leaky_relu(scores, options.slope), Wh, edges, options, rng);
}

void GraphAttention::parameters(const Visit& visit) {
  visit("weight", weight);
  visit("target", target);
  visit("source", source);
}

DynamicGraphAttention::DynamicGraphAttention(Size in, Size size, Size number_of_heads, Rng& rng,
                                             const GraphAttentionOptions& how)
    : target_weight(in, checked_width("dynamic graph attention", in, size, number_of_heads, how), rng, false),
      source_weight(in, number_of_heads * size, rng, false),
      heads(number_of_heads),
      options(how) {
  const double limit = std::sqrt(6 / static_cast<double>(size + 1));
  score = uniform_init({heads, size}, -limit, limit, rng);
}

Attended DynamicGraphAttention::operator()(const Var& h, const Edges& edges, Rng* rng) const {
  check_nodes("dynamic graph attention", h, edges);
  const Var x = dropout(h, options.dropout, rng);
  const Var of_target = in_heads(target_weight(x), heads), of_source = in_heads(source_weight(x), heads);
  const Var pairs = take(of_target, 0, edges.targets()) + take(of_source, 0, edges.sources());  // [E, heads, size]
  const Var scores = sum(leaky_relu(pairs, options.slope) * score, {2});                        // [E, heads]
  return along_edges(scores, of_source, edges, options, rng);
}

void DynamicGraphAttention::parameters(const Visit& visit) {
  visit("target_weight", target_weight);
  visit("source_weight", source_weight);
  visit("score", score);
}

}  // namespace attend
