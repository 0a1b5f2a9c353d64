#pragma once

#include <string>
#include <vector>

#include "tutorials/lesson/size.hpp"
#include "tutorials/lesson/terminal.hpp"

/// Graphs whose edges have weights: at which neighbours does a node look?

namespace attend::lesson {

/// The node `from` looks at the node `to`, with this weight; nodes count from 0.
struct Edge {
  Size from, to;
  double weight;
};

/// Where a node is drawn: 0 is left or top, 1 is right or bottom.
struct Place {
  double x, y;
};

struct Graph {
  std::string title;
  std::vector<std::string> nodes;  ///< their labels, UTF-8
  std::vector<Edge> edges;         ///< weights from 0 to 1
  std::vector<Place> places = {};  ///< one for each node; none at all: on a circle, in their order
  std::vector<Size> groups = {};   ///< one for each node, or none at all: nodes of one group have one colour
};

/// The edges of the largest weights, in words: "'a' looks at 'b' (0.83), 'b' at 'c' (0.40)". Throws
/// std::invalid_argument for an edge of a node that is not there, and when places or groups are not one for each node.
std::string in_words(const Graph& graph, Size most = 3);

/// A node in words: "'a' looks at 'b' (0.83), 'c' (0.17)", the largest weights first. Throws as the other does, and for
/// a node that is not there.
std::string node_in_words(const Graph& graph, Size node);

/// The graph as an SVG picture: the heavier an edge the broader, curved to the right of its direction so that two nodes
/// that look at each other have two. Throws as `in_words` does.
std::string svg(const Graph& graph);

}  // namespace attend::lesson
