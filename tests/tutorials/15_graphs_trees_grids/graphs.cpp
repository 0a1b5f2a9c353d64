// The parts of chapter 15 that attend over graphs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tutorials/15_graphs_trees_grids/club.hpp"
#include "tutorials/15_graphs_trees_grids/dictionary.hpp"
#include "tutorials/15_graphs_trees_grids/graph_cost.hpp"
#include "tutorials/15_graphs_trees_grids/graph_on_paper.hpp"
#include "tutorials/15_graphs_trees_grids/largest.hpp"
#include "tutorials/15_graphs_trees_grids/packages.hpp"
#include "tutorials/lesson/data.hpp"

using namespace attend;
using namespace attend::chapter15;
using namespace attend::test;

namespace {

using Ids = std::vector<std::int64_t>;

// Two rings of five nodes, joined by one edge, in which a node knows nothing but its number.
NodeTask two_rings() {
  Ids a, b, labels;
  for (Size node = 0; node < 10; ++node) {
    a.push_back(node);
    b.push_back(node / 5 * 5 + (node + 1) % 5);
    labels.push_back(node / 5);
  }
  return {one_hot(Tensor::arange(10), 10),
          add_self_loops(both_ways(a, b, 10)),
          labels,
          {0, 5},
          {1, 2, 3, 4, 6, 7, 8, 9},
          2};
}

}  // namespace

TEST_CASE("the mean of the neighbours weighs them alike and does not learn to do otherwise") {
  Rng rng(1);
  const NeighbourMean layer(3, 2, 2, rng);
  const Tensor weights = layer(Var(rng.normal({4, 3}, 0, 1)), paper_edges_with_loops()).weights.value();  // [6, 2]
  const std::vector<double> third(2, 1.0 / 3), whole(2, 1);
  check_close(Var(slice(weights, 0, 1, 1)), {1, 2}, third, 1e-7);  // two edges and a self-loop lead to node 2
  check_close(Var(slice(weights, 0, 5, 1)), {1, 2}, whole, 1e-7);  // to node 3 only its own
  CHECK(parameter_count(layer) == 3 * 4);
}

TEST_CASE("what is shown flows along edges: from one node of each ring the network names the others") {
  for (const GraphKind kind : {GraphKind::mean, GraphKind::attention, GraphKind::dynamic}) {
    Rng rng(2);
    CHECK(learn_nodes(kind, two_rings(), {100, 0.01, 0, 0}, rng) >= 0.75);
  }
}

TEST_CASE("only the nodes asked for are counted") {
  const NodeTask task = two_rings();
  Ids named = task.labels;
  CHECK(share_right(ids_of(named), task) == 1);
  named[0] = 1;  // it is shown
  CHECK(share_right(ids_of(named), task) == 1);
  named[1] = 1;
  CHECK(share_right(ids_of(named), task) == 7.0 / 8);
}

TEST_CASE("the same seed learns the same to the last bit") {
  Rng first(4), second(4);
  const NodePlan plan{5, 0.01, 0, 0.6};
  const auto network = [&](Rng& rng) {
    return learned_network<GraphAttention>(two_rings(), plan, rng).first.weight.weight;
  };
  CHECK(same_bits(network(first), network(second)));
}

TEST_CASE("a dictionary is every ordering of its values, and each query gets an edge from each key") {
  const Dictionary of(3);
  CHECK(of.symbols.size() == 6 * 6);
  CHECK(of.edges.count() == 6 * 9);
  CHECK(Ids(of.values.begin(), of.values.begin() + 6) == Ids{0, 1, 2, 3, 3, 3});
  CHECK(Ids(of.wanted.begin(), of.wanted.begin() + 6) == Ids{0, 1, 2, 0, 2, 1});
  CHECK(of.queries[0] == 3);
  CHECK(of.edges.sources().at({1}) == 1);
  CHECK(of.edges.targets().at({1}) == 3);
  const Dictionary turned(3, true);
  CHECK(turned.edges.sources().at({1}) == 3);
  CHECK(turned.edges.targets().at({1}) == 1);
  CHECK_THROWS_WITH_AS(Dictionary(1), "dictionary: 1 keys; 2 to 5 have few enough orderings", std::invalid_argument);
  CHECK_THROWS_AS(Dictionary(6), std::invalid_argument);
}

TEST_CASE("GATv2 looks up a dictionary of 3 keys; GAT, and GATv2 without its leaky relu, rank them in one order") {
  const Dictionary of(3);
  const auto found = [&](GraphKind kind, double slope) {
    Rng rng(1);
    return look_up(kind, of, slope, 200, rng);
  };
  const LookedUp dynamic = found(GraphKind::dynamic, 0.2);
  CHECK(dynamic.right == 1);
  CHECK(contested_pairs(dynamic.weights) == 3);
  for (const LookedUp& one : {found(GraphKind::attention, 0.2), found(GraphKind::dynamic, 1)}) {
    CHECK(one.right < 0.6);
    CHECK(contested_pairs(one.weights) == 0);
  }
}

TEST_CASE("a pair is contested where two rows rank it in opposite orders, by more than rounding") {
  const auto contested = [](const std::vector<double>& of) {
    return contested_pairs(Tensor::from(of, {2, 3}, DType::float64));
  };
  CHECK(contested({0.1, 0.3, 0.6, 0.2, 0.3, 0.5}) == 0);
  CHECK(contested({0.1, 0.3, 0.6, 0.3, 0.1, 0.6}) == 1);
  CHECK(contested({0.1, 0.3, 0.6, 0.6, 0.3, 0.1}) == 3);
  CHECK(contested({0.2, 0.2, 0.6, 0.3, 0.1, 0.6}) == 0);
  CHECK(contested({0.200001, 0.2, 0.6, 0.1, 0.3, 0.6}) == 0);
}

TEST_CASE("multiplications are those of the formula, and grow with edges") {
  for (const GraphKind kind : {GraphKind::attention, GraphKind::dynamic}) {
    for (const GraphSize of : {GraphSize{1, 0}, {10, 30}, {10, 300}, {100, 300}}) {
      CHECK(counted(kind, of) == by_formula(kind, of));
    }
    CHECK(over_all_pairs(kind, {10, 3}) == by_formula(kind, {10, 100}));
  }
}

TEST_CASE("the largest score of each node, and 0 where no edge leads") {
  const Edges edges(Tensor::from_ints({0, 1, 2, 1, 1, 0}, {2, 3}), 3);
  const Var scores(Tensor::from({-5, -2, 7}, {3}, DType::float64));
  CHECK(largest_by_target(scores, edges).to_vector() == std::vector<double>{7, -2, 0});
}

TEST_CASE("places of a layout fill the square, differ, and lie closer to friends") {
  Rng rng(7);
  const Edges edges = read_club(lesson::data_path("karate/karate.tsv")).edges;
  const std::vector<lesson::Place> places = spring_layout(edges, 200, rng);
  const auto apart = [&](std::int64_t a, std::int64_t b) {
    const lesson::Place &p = places[static_cast<std::size_t>(a)], &q = places[static_cast<std::size_t>(b)];
    return std::hypot(p.x - q.x, p.y - q.y);
  };
  double friends = 0, all = 0;
  const Ids from = edges.sources().to_ints(), to = edges.targets().to_ints();
  for (std::size_t e = 0; e < from.size(); ++e) friends += apart(from[e], to[e]) / static_cast<double>(from.size());
  for (Size i = 0; i < 34; ++i) {
    CHECK(places[static_cast<std::size_t>(i)].x >= 0);
    CHECK(places[static_cast<std::size_t>(i)].x <= 1);
    for (Size j = 0; j < 34; ++j) {
      all += apart(i, j) / (34 * 33);
      if (i != j) CHECK(apart(i, j) > 0.01);
    }
  }
  CHECK(friends < 0.7 * all);
}

TEST_CASE("the graph of the club has each edge twice but no self-loops, the sides as groups, and marks errors") {
  const NodeTask task = club_task(read_club(lesson::data_path("karate/karate.tsv")));
  Ids named = task.labels;
  named[8] = 1 - named[8];
  std::vector<double> weights;
  for (Size e = 0; e < task.edges.count(); ++e) weights.push_back(0.001 * static_cast<double>(e));
  const lesson::Graph graph = club_graph(task, {0.97, ids_of(named), weights});
  CHECK(graph.nodes.size() == 34);
  CHECK(graph.nodes[7] == "7");
  CHECK(graph.nodes[8] == "8x");
  CHECK(graph.groups == task.labels);
  CHECK(graph.places.size() == 34);
  REQUIRE(graph.edges.size() == 2 * 78);
  CHECK(graph.edges[5].from == task.edges.targets().at({5}));  // the target looks
  CHECK(graph.edges[5].to == task.edges.sources().at({5}));
  CHECK(graph.edges[5].weight == 0.005);
}
