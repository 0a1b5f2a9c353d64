// Wrong answers to exercise 1, each with the bug that the check must name.
#include "tutorials/15_graphs_trees_grids/exercise_1_edges.hpp"
#include "tutorials/15_graphs_trees_grids/largest.hpp"

namespace attend::chapter15 {
namespace {

enum class Slip { none, over_all, by_source, turned, own_value, no_shift, one_shift, undivided, history_cut };

// The solution, with one slip.
template <Slip slip>
Var slipped(const Var& scores, const Var& values, const Edges& edges) {
  const Tensor from = slip == Slip::turned ? edges.targets() : edges.sources();
  const Tensor to = slip == Slip::turned ? edges.sources() : edges.targets();
  const Tensor grouped = slip == Slip::by_source ? from : to;
  const Var zeros(Tensor::zeros({edges.nodes}, scores.dtype()));
  Var shift = take(Var(largest_by_target(scores, edges)), 0, edges.targets());
  if (slip == Slip::no_shift) shift = 0.0 * shift;
  if (slip == Slip::one_shift) shift = detach(max(scores, {0}));
  const Var parts = exp(scores - shift);
  const Var totals = take(index_add(zeros, 0, grouped, parts), 0, grouped);
  const Var weights = slip == Slip::over_all ? softmax(scores) : slip == Slip::undivided ? parts : parts / totals;
  const Var sent = unsqueeze(weights, 1) * take(values, 0, slip == Slip::own_value ? to : from);
  const Var context = index_add(Var(Tensor::zeros(values.shape(), scores.dtype())), 0, to, sent);
  return slip == Slip::history_cut ? detach(context) : context;
}

Var unsolved(const Var&, const Var&, const Edges&) { return {}; }
Var on_edges_still(const Var& scores, const Var& values, const Edges& edges) {
  return unsqueeze(softmax_by_target(scores, edges), 1) * take(values, 0, edges.sources());
}
Var all_pairs(const Var& scores, const Var& values, const Edges& edges) {
  const Size n = edges.nodes;
  std::vector<std::int64_t> cells = edges.targets().to_ints();
  const std::vector<std::int64_t> from = edges.sources().to_ints();
  for (std::size_t e = 0; e < cells.size(); ++e) cells[e] = cells[e] * n + from[e];
  const Tensor at = Tensor::from_ints(cells, {edges.count()});
  const Var weights = index_add(Var(Tensor::zeros({n * n}, scores.dtype())), 0, at, softmax_by_target(scores, edges));
  return matmul(reshape(weights, {n, n}), values);
}

}  // namespace

std::vector<EdgesAnswer> edges_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"what the edges carry is not summed", on_edges_still, "a row for each edge"},
      {"a softmax over all edges", slipped<Slip::over_all>, "over all edges"},
      {"a softmax over the edges of a source", slipped<Slip::by_source>, "same source"},
      {"edges turned around", slipped<Slip::turned>, "turned around"},
      {"a node sums its own value", slipped<Slip::own_value>, "its own value"},
      {"the largest is not taken off", slipped<Slip::no_shift>, "overflow"},
      {"the largest of all scores is taken off", slipped<Slip::one_shift>, "of all scores"},
      {"weights that are not divided", slipped<Slip::undivided>, "not divided"},
      {"detach", slipped<Slip::history_cut>, "cuts the history"},
      {"a matrix of all pairs", all_pairs, "nodes · nodes"},
  };
}

}  // namespace attend::chapter15
