#include "tutorials/lesson/graph.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/picture.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::lesson {
namespace {

constexpr double width = 640, height = 480, margin = 56, radius = 14, bend = 0.12, broadest = 7;
constexpr double full_turn = 6.283185307179586;

void check(const Graph& graph) {
  const Size nodes = size_of(graph.nodes);
  for (const Edge& edge : graph.edges) {
    if (edge.from >= 0 && edge.from < nodes && edge.to >= 0 && edge.to < nodes) continue;
    throw std::invalid_argument(fill("Graph: an edge from {} to {} among {} nodes",
                                     {std::to_string(edge.from), std::to_string(edge.to), std::to_string(nodes)}));
  }
  const auto one_each = [&](Size given, const std::string& what) {
    if (given == 0 || given == nodes) return;
    throw std::invalid_argument(
        fill("Graph: {} {} for {} nodes", {std::to_string(given), what, std::to_string(nodes)}));
  };
  one_each(size_of(graph.places), "places");
  one_each(size_of(graph.groups), "groups");
}

// What fills a node, light enough for the text on it.
std::string colour_of(const Graph& graph, Size node) {
  constexpr const char* colours[] = {"#fde2b3", "#b9d6f2", "#cfe8cf", "#f3c9d8"};
  return graph.groups.empty() ? "#ffffff" : colours[static_cast<std::size_t>(graph.groups[node]) % std::size(colours)];
}

std::vector<Edge> heaviest_first(std::vector<Edge> edges) {
  std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.weight > b.weight; });
  return edges;
}

std::string quoted(const Graph& graph, Size node) { return "'" + printable(graph.nodes[node]) + "'"; }

std::string looked_at(const Graph& graph, const Edge& edge) {
  return quoted(graph, edge.to) + " (" + fixed(edge.weight, 2) + ")";
}

// Where the middle of a node lies in the picture.
Place middle_of(const Graph& graph, Size node) {
  Place place;
  if (graph.places.empty()) {
    const double turn = full_turn * static_cast<double>(node) / static_cast<double>(graph.nodes.size());
    place = {0.5 + 0.5 * std::sin(turn), 0.5 - 0.5 * std::cos(turn)};
  } else {
    place = graph.places[node];
  }
  return {margin + place.x * (width - 2 * margin), margin + place.y * (height - 2 * margin)};
}

std::string at(double x) { return fixed(x, 1); }

// A curve beside the straight line; from a node to itself, a loop above it.
std::string path_of(const Graph& graph, const Edge& edge) {
  const Place a = middle_of(graph, edge.from), b = middle_of(graph, edge.to);
  if (edge.from == edge.to) {
    return fill("M{} {} c-30 -44 30 -44 0 0", {at(a.x), at(a.y)});
  }
  const double x = (a.x + b.x) / 2 - bend * (b.y - a.y), y = (a.y + b.y) / 2 + bend * (b.x - a.x);
  return fill("M{} {} Q{} {} {} {}", {at(a.x), at(a.y), at(x), at(y), at(b.x), at(b.y)});
}

std::string mark_of(const Graph& graph, const Edge& edge) {
  const double weight = std::clamp(edge.weight, 0.0, 1.0);
  return fill(
      "<path class=\"edge\" data-from=\"{}\" data-to=\"{}\" d=\"{}\" fill=\"none\" stroke=\"#0b559f\" "
      "stroke-width=\"{}\" stroke-opacity=\"{}\"/>\n",
      {std::to_string(edge.from), std::to_string(edge.to), path_of(graph, edge),
       fixed(std::max(0.5, broadest * weight), 2), fixed(0.25 + 0.65 * weight, 2)});
}

std::string mark_of(const Graph& graph, Size node) {
  const Place middle = middle_of(graph, node);
  const std::string x = at(middle.x), y = at(middle.y);
  std::string mark = fill("<g class=\"node\" data-node=\"{}\" aria-label=\"{}\">",
                          {std::to_string(node), escaped(node_in_words(graph, node))});
  mark += fill("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" stroke=\"#333333\"/>",
               {x, y, at(radius), colour_of(graph, node)});
  return mark + fill("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text></g>\n",
                     {x, at(middle.y + 4), escaped_label(graph.nodes[node])});
}

}  // namespace

std::string in_words(const Graph& graph, Size most) {
  check(graph);
  std::string words;
  for (const Edge& edge : heaviest_first(graph.edges)) {
    if (most-- == 0) break;
    words += (words.empty() ? "" : ", ") + quoted(graph, edge.from) + (words.empty() ? " looks at " : " at ") +
             looked_at(graph, edge);
  }
  return words.empty() ? "no node looks at another" : words;
}

std::string node_in_words(const Graph& graph, Size node) {
  check(graph);
  if (node < 0 || node >= size_of(graph.nodes)) {
    throw std::invalid_argument(
        fill("Graph: node {} of {}", {std::to_string(node), std::to_string(graph.nodes.size())}));
  }
  std::string words;
  for (const Edge& edge : heaviest_first(graph.edges)) {
    if (edge.from == node) words += (words.empty() ? " looks at " : ", ") + looked_at(graph, edge);
  }
  return quoted(graph, node) + (words.empty() ? " looks at no node" : words);
}

std::string svg(const Graph& graph) {
  check(graph);
  std::string out = fill("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" ",
                         {fixed(width, 0), fixed(height, 0), fixed(width, 0), fixed(height, 0)});
  out += "role=\"group\" font-family=\"sans-serif\" font-size=\"12\">\n";
  out += "<title>" + escaped(graph.title) + "</title>\n<desc>" + escaped(in_words(graph)) + "</desc>\n";
  out += fill("<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n", {fixed(width, 0), fixed(height, 0)});
  for (const Edge& edge : graph.edges) out += mark_of(graph, edge);
  for (Size node = 0; node < size_of(graph.nodes); ++node) out += mark_of(graph, node);
  return out + "</svg>\n";
}

}  // namespace attend::lesson
