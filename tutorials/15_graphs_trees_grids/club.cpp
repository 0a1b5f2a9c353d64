#include "tutorials/15_graphs_trees_grids/club.hpp"

#include <algorithm>
#include <cmath>

#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/picture.hpp"

namespace attend::chapter15 {
namespace {

using lesson::DataError;
using lesson::fill;
using lesson::fixed;
using lesson::size_of;

Point operator+(const Point& a, const Point& b) { return {a.x + b.x, a.y + b.y}; }
Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y}; }
Point operator*(double s, const Point& a) { return {s * a.x, s * a.y}; }
double length(const Point& a) { return std::max(1e-9, std::hypot(a.x, a.y)); }

// Brings the places to 0 .. 1 on both axes.
void stretch(std::vector<Point>& places) {
  for (double Point::*axis : {&Point::x, &Point::y}) {
    const auto [low, high] = std::minmax_element(places.begin(), places.end(),
                                                 [&](const Point& a, const Point& b) { return a.*axis < b.*axis; });
    const double from = (*low).*axis, span = std::max(1e-9, (*high).*axis - from);
    for (Point& place : places) place.*axis = (place.*axis - from) / span;
  }
}

constexpr double wide = 720, high = 560, margin = 40, title_height = 40;

Point on_paper(const Point& place) {
  return {margin + place.x * (wide - 2 * margin), margin + title_height + place.y * (high - title_height - 2 * margin)};
}

std::string edge_half(const Point& from, const Point& to, double weight) {
  return fill(
      "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#555\" stroke-opacity=\"0.7\" stroke-width=\"{}\"/>\n",
      {fixed(from.x, 1), fixed(from.y, 1), fixed(to.x, 1), fixed(to.y, 1), fixed(0.3 + 14 * weight, 2)});
}

std::string member(const Point& at, std::size_t number, std::int64_t side, bool wrong) {
  return fill("<circle cx=\"{}\" cy=\"{}\" r=\"12\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>\n",
              {fixed(at.x, 1), fixed(at.y, 1), side == 0 ? "#fde2b3" : "#b9d6f2", wrong ? "#c00000" : "#333",
               wrong ? "4" : "1"}) +
         fill("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
              {fixed(at.x, 1), fixed(at.y + 4, 1), std::to_string(number)});
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

std::vector<Point> spring_layout(const Edges& edges, Size steps, Rng& rng) {
  const std::vector<std::int64_t> from = edges.sources().to_ints(), to = edges.targets().to_ints();
  std::vector<Point> places(static_cast<std::size_t>(edges.nodes));
  for (Point& place : places) place = {rng.uniform(), rng.uniform()};
  const double apart = 1 / std::sqrt(static_cast<double>(edges.nodes));  // k of the paper
  for (Size step = 0; step < steps; ++step) {
    std::vector<Point> forces(places.size(), {0, 0});
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t j = 0; j < places.size(); ++j) {
        if (i == j) continue;
        const Point away = places[i] - places[j];
        forces[i] = forces[i] + apart * apart / (length(away) * length(away)) * away;
      }
    }
    for (std::size_t e = 0; e < from.size(); ++e) {  // each edge stands in both directions
      const std::size_t i = static_cast<std::size_t>(to[e]), j = static_cast<std::size_t>(from[e]);
      const Point towards = places[j] - places[i];
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

std::string club_picture(const Club& club, const NodeTask& task, const ClubLooks& looks,
                         const std::vector<Point>& places) {
  std::string marks;
  const std::vector<std::int64_t> from = task.edges.sources().to_ints(), to = task.edges.targets().to_ints();
  const std::vector<std::int64_t> named = looks.named.to_ints();
  for (std::size_t e = 0; e < from.size(); ++e) {
    if (from[e] == to[e]) continue;
    const Point who = on_paper(places[static_cast<std::size_t>(to[e])]);
    const Point whom = on_paper(places[static_cast<std::size_t>(from[e])]);
    marks += edge_half(who, 0.5 * (who + whom), looks.weights[e]);
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    marks += member(on_paper(places[i]), i, club.sides[i], named[i] != club.sides[i]);
  }
  const std::string title = "Who looks at whom in the karate club";
  return fill(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\" ",
             {fixed(wide, 0), fixed(high, 0), fixed(wide, 0), fixed(high, 0)}) +
         "font-family=\"monospace\" font-size=\"11\">\n<title>" + title + "</title>\n" +
         fill(
             "<desc>{} members as circles in the colours of two sides, {} edges; {} are named rightly. The half of an "
             "edge beside a member is the wider the more it looks at the other.</desc>\n",
             {std::to_string(places.size()), std::to_string(from.size()), lesson::percent(looks.right)}) +
         "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" + "<text x=\"14\" y=\"26\" font-size=\"14\">" +
         title + ": thick at a member, it looks there much</text>\n" + marks + "</svg>\n";
}

}  // namespace attend::chapter15
