#pragma once
#include <string>
#include <vector>

#include "nn/attention/graph.hpp"

/// The packages of a Debian release as a graph: each has a section, some words, and packages that it depends on.

namespace attend::chapter15 {

/// A graph whose nodes have a class each, and words that tell something of it.
struct PackageGraph {
  std::vector<std::string> classes, names;  // of the classes, of the nodes
  std::vector<std::int64_t> labels;         // the class of each node
  Tensor words;                             // [nodes, vocabulary]: 1 where a node has the word
  Edges edges;                              // each in both directions, without self-loops
};

/// The graph of a file like debgraph/debgraph.tsv: the lines "#classes: ..." and "#vocab: ..." with names between
/// spaces; then a line for each node, "n", name, number of its class, numbers of its words between spaces; then one for
/// each edge, "e", a, b, where a < b are nodes. Numbers count from 0, and tabs stand between the columns. Throws
/// lesson::DataError, with the line, for anything else.
PackageGraph read_packages(const std::string& path);

/// Which nodes are shown with their class, and which are asked for.
struct LabelSplit {
  std::vector<std::int64_t> shown, asked;
};
/// So many nodes of each class are shown, drawn; all others are asked for. Throws std::invalid_argument when a class
/// has no node left to ask for.
LabelSplit split_labels(const PackageGraph& graph, Size per_class, Rng& rng);

/// The same nodes with as many edge ends each, but who is joined with whom is drawn. (An edge may lead back to its
/// node, or stand twice.)
Edges rewired(const Edges& both_directions, Rng& rng);

/// No edges at all.
Edges no_edges(Size nodes);

/// The share of edges that join nodes of one class.
double share_within_classes(const Edges& edges, const std::vector<std::int64_t>& labels);

/// How many nodes no edge leads to.
Size isolated(const Edges& edges);

}  // namespace attend::chapter15
