#include "tutorials/15_graphs_trees_grids/packages.hpp"

#include <algorithm>
#include <stdexcept>

#include "tutorials/15_graphs_trees_grids/graph_file.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::chapter15 {
namespace {

using lesson::DataError;
using lesson::size_of;
using lesson::TsvRow;

std::vector<std::string> names_behind(const std::string& path, const TsvRow& row, const std::string& start) {
  const std::string& line = row.cells[0];
  if (line.rfind(start, 0) != 0) throw DataError(path, row.line, "this line has to begin with '" + start + "'");
  return lesson::split(line.substr(start.size()), ' ');
}

// The file while it is read.
struct Reader {
  std::string path;
  std::vector<std::string> classes, vocabulary, names;
  std::vector<std::int64_t> labels, a, b;
  std::vector<std::vector<std::int64_t>> words;

  void node(const TsvRow& row) {
    expect_columns(path, row, 4);
    if (!a.empty()) throw DataError(path, row.line, "a node behind an edge: all nodes stand before the first edge");
    names.push_back(row.cells[1]);
    labels.push_back(number_in(path, row, 2, size_of(classes), "class"));
    words.emplace_back();
    if (row.cells[3].empty()) return;
    const TsvRow of_words{row.line, lesson::split(row.cells[3], ' ')};
    for (std::size_t i = 0; i < of_words.cells.size(); ++i) {
      words.back().push_back(number_in(path, of_words, i, size_of(vocabulary), "word"));
    }
  }

  void edge(const TsvRow& row) {
    expect_columns(path, row, 3);
    a.push_back(number_in(path, row, 1, size_of(names), "node"));
    b.push_back(number_in(path, row, 2, size_of(names), "node"));
    if (a.back() >= b.back()) throw DataError(path, row.line, "an edge a b has a < b and stands once");
  }

  Tensor word_table() const {
    const Size width = size_of(vocabulary);
    std::vector<double> table(names.size() * vocabulary.size(), 0);
    for (std::size_t node = 0; node < words.size(); ++node) {
      for (const std::int64_t word : words[node]) {
        table[node * vocabulary.size() + static_cast<std::size_t>(word)] = 1;
      }
    }
    return Tensor::from(table, {size_of(names), width});
  }
};

}  // namespace

PackageGraph read_packages(const std::string& path) {
  const std::vector<TsvRow> rows = lesson::read_tsv(path, 1).rows;
  if (rows.size() < 3) throw DataError(path, rows.back().line, "the file ends before its first node");
  Reader reader;
  reader.path = path;
  reader.classes = names_behind(path, rows[0], "#classes: ");
  reader.vocabulary = names_behind(path, rows[1], "#vocab: ");
  for (std::size_t i = 2; i < rows.size(); ++i) {
    const std::string& kind = rows[i].cells[0];
    if (kind != "n" && kind != "e")
      throw DataError(path, rows[i].line, "a line begins with 'n', a node, or 'e', an edge");
    kind == "n" ? reader.node(rows[i]) : reader.edge(rows[i]);
  }
  return {reader.classes, reader.names, reader.labels, reader.word_table(),
          both_ways(reader.a, reader.b, size_of(reader.names))};
}

LabelSplit split_labels(const PackageGraph& graph, Size per_class, Rng& rng) {
  std::vector<Size> shown(graph.classes.size(), 0), asked = shown;
  LabelSplit split;
  for (const std::int64_t node : rng.permutation(size_of(graph.labels))) {
    const auto label = static_cast<std::size_t>(graph.labels[static_cast<std::size_t>(node)]);
    const bool show = shown[label] < per_class;
    (show ? split.shown : split.asked).push_back(node);
    ++(show ? shown : asked)[label];
  }
  const auto none = std::find(asked.begin(), asked.end(), 0);
  if (none == asked.end()) return split;
  throw std::invalid_argument("split_labels: with " + std::to_string(per_class) + " nodes shown, class " +
                              std::to_string(none - asked.begin()) + " has none left to ask for");
}

Edges rewired(const Edges& both_directions, Rng& rng) {
  const std::vector<std::int64_t> from = both_directions.sources().to_ints(), to = both_directions.targets().to_ints();
  const Size half = size_of(from) / 2;  // behind it stand the same edges turned around
  const std::vector<std::int64_t> a(from.begin(), from.begin() + half);
  std::vector<std::int64_t> b;
  for (const std::int64_t e : rng.permutation(half)) b.push_back(to[static_cast<std::size_t>(e)]);
  return both_ways(a, b, both_directions.nodes);
}

Edges no_edges(Size nodes) { return {Tensor::from_ints({}, {2, 0}), nodes}; }

double share_within_classes(const Edges& edges, const std::vector<std::int64_t>& labels) {
  const std::vector<std::int64_t> from = edges.sources().to_ints(), to = edges.targets().to_ints();
  double within = 0;
  for (std::size_t e = 0; e < from.size(); ++e) {
    within += labels[static_cast<std::size_t>(from[e])] == labels[static_cast<std::size_t>(to[e])] ? 1 : 0;
  }
  return within / static_cast<double>(from.size());
}

Size isolated(const Edges& edges) {
  std::vector<bool> reached(static_cast<std::size_t>(edges.nodes), false);
  for (const std::int64_t node : edges.targets().to_ints()) reached[static_cast<std::size_t>(node)] = true;
  return std::count(reached.begin(), reached.end(), false);
}

}  // namespace attend::chapter15
