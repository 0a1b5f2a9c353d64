#include "tutorials/15_graphs_trees_grids/club.hpp"

#include <algorithm>
#include <cmath>

#include "tutorials/lesson/data.hpp"

namespace attend::chapter15 {
namespace {

using lesson::DataError;
using lesson::Place;
using lesson::size_of;

Place operator+(const Place& a, const Place& b) { return {a.x + b.x, a.y + b.y}; }
Place operator-(const Place& a, const Place& b) { return {a.x - b.x, a.y - b.y}; }
Place operator*(double s, const Place& a) { return {s * a.x, s * a.y}; }
double length(const Place& a) { return std::max(1e-9, std::hypot(a.x, a.y)); }

// Brings the places to 0 .. 1 on both axes.
void stretch(std::vector<Place>& places) {
  for (double Place::*axis : {&Place::x, &Place::y}) {
    const auto [low, high] = std::minmax_element(places.begin(), places.end(),
                                                 [&](const Place& a, const Place& b) { return a.*axis < b.*axis; });
    const double from = (*low).*axis, span = std::max(1e-9, (*high).*axis - from);
    for (Place& place : places) place.*axis = (place.*axis - from) / span;
  }
}

}  // namespace

Club read_club(const std::string& path) {
  std::vector<std::int64_t> sides, a, b;
  for (const lesson::TsvRow& row : lesson::read_tsv(path, 1, lesson::Header::first_line).rows) {
    if (row.cells[0] == "n") {
      expect_columns(path, row, 3);
      if (number_in(path, row, 1, size_of(sides) + 1, "member") != size_of(sides)) {
        throw DataError(path, row.line, "members stand in the order of their numbers, without gaps");
      }
      sides.push_back(number_in(path, row, 2, 2, "side"));
    } else if (row.cells[0] == "e") {
      expect_columns(path, row, 4);
      a.push_back(number_in(path, row, 1, size_of(sides), "member"));
      b.push_back(number_in(path, row, 2, size_of(sides), "member"));
    } else {
      throw DataError(path, row.line, "a line begins with 'n', a member, or 'e', an edge");
    }
  }
  const Size members = size_of(sides);
  return {sides, both_ways(a, b, members)};
}

NodeTask club_task(const Club& club) {
  const Size members = club.edges.nodes;
  NodeTask task{
      one_hot(Tensor::arange(members), members), add_self_loops(club.edges), club.sides, {0, members - 1}, {}, 2};
  for (Size i = 1; i < members - 1; ++i) task.asked.push_back(i);
  return task;
}

ClubLooks learn_club(const NodeTask& task, const NodePlan& plan, Rng& rng) {
  const GraphNetwork<GraphAttention> network = learned_network<GraphAttention>(task, plan, rng);
  const Recording off(false);
  const Tensor named = named_by(network, task);
  const Var weights = mean(network.first(Var(task.x), task.edges).weights, {1});
  return {share_right(named, task), named, weights.value().to_vector()};
}

std::vector<lesson::Place> spring_layout(const Edges& edges, Size steps, Rng& rng) {
  const std::vector<std::int64_t> from = edges.sources().to_ints(), to = edges.targets().to_ints();
  std::vector<Place> places(static_cast<std::size_t>(edges.nodes));
  for (Place& place : places) place = {rng.uniform(), rng.uniform()};
  const double apart = 1 / std::sqrt(static_cast<double>(edges.nodes));  // k of the paper
  for (Size step = 0; step < steps; ++step) {
    std::vector<Place> forces(places.size(), {0, 0});
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t j = 0; j < places.size(); ++j) {
        if (i == j) continue;
        const Place away = places[i] - places[j];
        forces[i] = forces[i] + apart * apart / (length(away) * length(away)) * away;
      }
    }
    for (std::size_t e = 0; e < from.size(); ++e) {  // each edge stands in both directions
      const std::size_t i = static_cast<std::size_t>(to[e]), j = static_cast<std::size_t>(from[e]);
      const Place towards = places[j] - places[i];
      forces[i] = forces[i] + length(towards) / apart * towards;
    }
    const double longest = 0.1 * (1 - static_cast<double>(step) / static_cast<double>(steps));
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i] = places[i] + std::min(longest, length(forces[i])) / length(forces[i]) * forces[i];
    }
  }
  stretch(places);
  return places;
}

lesson::Graph club_graph(const NodeTask& task, const ClubLooks& looks) {
  const std::vector<std::int64_t> from = task.edges.sources().to_ints(), to = task.edges.targets().to_ints();
  const std::vector<std::int64_t> named = looks.named.to_ints();
  lesson::Graph graph{"Who looks at whom in the karate club", {}, {}, {}, task.labels};
  for (std::size_t i = 0; i < named.size(); ++i) {
    graph.nodes.push_back(std::to_string(i) + (named[i] == task.labels[i] ? "" : "x"));
  }
  for (std::size_t e = 0; e < from.size(); ++e) {
    if (from[e] != to[e]) graph.edges.push_back({to[e], from[e], looks.weights[e]});
  }
  Rng rng(7);  // of the picture alone
  graph.places = spring_layout(task.edges, 500, rng);
  return graph;
}

}  // namespace attend::chapter15
