// Wrong answers to exercise 2, each with the bug that the check must name.
#include "tutorials/15_graphs_trees_grids/exercise_2_dynamic.hpp"

namespace attend::chapter15 {
namespace {

enum class Slip { none, relu_outside, relu_each, no_relu, relu, exchanged, one_matrix, no_target, history_cut };

// The solution, with one slip.
template <Slip slip>
Var slipped(const Var& h, const Edges& edges, const Var& W_target, const Var& W_source, const Var& a) {
  const bool turned = slip == Slip::exchanged;
  const Var& W_i = slip == Slip::one_matrix ? W_source : W_target;
  const Var of_target = take(matmul(h, W_i), 0, turned ? edges.sources() : edges.targets());
  const Var of_source = take(matmul(h, W_source), 0, turned ? edges.targets() : edges.sources());
  const Var pairs = slip == Slip::no_target ? of_source : of_target + of_source;
  if (slip == Slip::relu_outside) return leaky_relu(sum(pairs * a, {1}), 0.2);
  if (slip == Slip::relu_each) return sum((leaky_relu(of_target, 0.2) + leaky_relu(of_source, 0.2)) * a, {1});
  if (slip == Slip::no_relu) return sum(pairs * a, {1});
  const Var scores = sum(leaky_relu(pairs, slip == Slip::relu ? 0 : 0.2) * a, {1});
  return slip == Slip::history_cut ? detach(scores) : scores;
}

Var unsolved(const Var&, const Edges&, const Var&, const Var&, const Var&) { return {}; }
Var unsummed(const Var& h, const Edges& edges, const Var& W_target, const Var& W_source, const Var& a) {
  return leaky_relu(take(matmul(h, W_target), 0, edges.targets()) + take(matmul(h, W_source), 0, edges.sources()),
                    0.2) *
         a;
}
Var edge_by_edge(const Var& h, const Edges& edges, const Var& W_target, const Var& W_source, const Var& a) {
  const Var of_target = matmul(take(h, 0, edges.targets()), W_target);
  const Var of_source = matmul(take(h, 0, edges.sources()), W_source);
  return sum(leaky_relu(of_target + of_source, 0.2) * a, {1});
}

}  // namespace

std::vector<DynamicAnswer> dynamic_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"the products with a are not summed", unsummed, "aᵀ sums"},
      {"the leaky relu behind a", slipped<Slip::relu_outside>, "behind a"},
      {"a leaky relu of each part", slipped<Slip::relu_each>, "each part by itself"},
      {"no leaky relu", slipped<Slip::no_relu>, "no leaky relu"},
      {"a relu of slope 0", slipped<Slip::relu>, "slope"},
      {"sources and targets exchanged", slipped<Slip::exchanged>, "exchanged"},
      {"one matrix for both", slipped<Slip::one_matrix>, "W_source for both"},
      {"the source alone", slipped<Slip::no_target>, "no part of the node that attends"},
      {"detach", slipped<Slip::history_cut>, "cuts the history"},
      {"a product for each edge", edge_by_edge, "for each edge"},
  };
}

}  // namespace attend::chapter15
