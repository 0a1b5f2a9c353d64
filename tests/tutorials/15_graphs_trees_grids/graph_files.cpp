// The files of graphs, and what chapter 15 makes of them before anything is learned.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/15_graphs_trees_grids/club.hpp"
#include "tutorials/15_graphs_trees_grids/packages.hpp"
#include "tutorials/lesson/data.hpp"

using namespace attend;
using namespace attend::chapter15;
using namespace lesson_test;
using lesson::DataError;

namespace {

using Ids = std::vector<std::int64_t>;

const std::string small =
    "#classes: red blue\n#vocab: a b c\nn\tfirst\t0\t0 2\nn\tsecond\t1\t\nn\tthird\t1\t1\ne\t0\t1\ne\t1\t2\n";

PackageGraph packages_of(const std::string& content) {
  const Folder folder;
  return read_packages(folder.write("packages.tsv", content));
}

template <class Read>
std::string complaint(const std::string& content, Read read) {
  const Folder folder;
  const std::string path = folder.write("graph.tsv", content);
  const std::string text = thrown<DataError>([&] { read(path); });
  return text.empty() ? "" : text.substr(text.find("graph.tsv"));
}
std::string packages_complaint(const std::string& content) { return complaint(content, read_packages); }
std::string club_complaint(const std::string& content) { return complaint(content, read_club); }

const PackageGraph& debian() {
  static const PackageGraph graph = read_packages(lesson::data_path("debgraph/debgraph.tsv"));
  return graph;
}

// How often each node is the source of an edge.
Ids degrees(const Edges& edges) {
  Ids of(static_cast<std::size_t>(edges.nodes), 0);
  for (const std::int64_t node : edges.sources().to_ints()) ++of[static_cast<std::size_t>(node)];
  return of;
}

}  // namespace

TEST_CASE("a graph of packages is read: classes, names, words, and each edge in both directions") {
  const PackageGraph graph = packages_of(small);
  CHECK(graph.classes == std::vector<std::string>{"red", "blue"});
  CHECK(graph.names == std::vector<std::string>{"first", "second", "third"});
  CHECK(graph.labels == Ids{0, 1, 1});
  CHECK(graph.words.shape() == Shape{3, 3});
  CHECK(graph.words.to_vector() == std::vector<double>{1, 0, 1, 0, 0, 0, 0, 1, 0});
  CHECK(graph.edges.nodes == 3);
  CHECK(graph.edges.ends.to_ints() == Ids{0, 1, 1, 2, 1, 2, 0, 1});
  CHECK(packages_of("#classes: a\n#vocab: b\nn\tx\t0\t\n").edges.count() == 0);
}

TEST_CASE("a file of packages that is none is answered with the line and what is wrong") {
  const std::string head = "#classes: red blue\n#vocab: a b c\n";
  CHECK(packages_complaint("") == "graph.tsv:1: the file is empty");
  CHECK(packages_complaint(head) == "graph.tsv:2: the file ends before its first node");
  CHECK(packages_complaint("n\tx\t0\t0\n" + head) == "graph.tsv:1: this line has to begin with '#classes: '");
  CHECK(packages_complaint("#classes: a\nn\tx\t0\t0\nn\ty\t0\t0\n") ==
        "graph.tsv:2: this line has to begin with '#vocab: '");
  CHECK(packages_complaint(head + "x\tfirst\t0\t0\n") ==
        "graph.tsv:3: a line begins with 'n', a node, or 'e', an edge");
  CHECK(packages_complaint(head + "n\tfirst\t0\n") == "graph.tsv:3: 3 columns in place of 4, between tabs");
  CHECK(packages_complaint(head + "n\tfirst\t2\t0\n") ==
        "graph.tsv:3: '2' is no number of a class: there are 2, counted from 0");
  CHECK(packages_complaint(head + "n\tfirst\t0\t0 3\n") ==
        "graph.tsv:3: '3' is no number of a word: there are 3, counted from 0");
  CHECK(packages_complaint(head + "n\tfirst\t0\t0  1\n") ==
        "graph.tsv:3: '' is no number of a word: there are 3, counted from 0");
  CHECK(packages_complaint(head + "n\tfirst\t-1\t0\n").find("'-1' is no number of a class") != std::string::npos);
  CHECK(packages_complaint(small + "e\t0\t3\n") ==
        "graph.tsv:8: '3' is no number of a node: there are 3, counted from 0");
  CHECK(packages_complaint(small + "e\t2\t0\n") == "graph.tsv:8: an edge a b has a < b and stands once");
  CHECK(packages_complaint(small + "e\t1\t1\n") == "graph.tsv:8: an edge a b has a < b and stands once");
  CHECK(packages_complaint(small + "n\tlate\t0\t0\n") ==
        "graph.tsv:8: a node behind an edge: all nodes stand before the first edge");
}

TEST_CASE("the packages of Debian: as many nodes, edges and words as their data sheet says") {
  CHECK(debian().classes.size() == 7);
  CHECK(debian().words.shape() == Shape{2955, 660});
  CHECK(debian().edges.count() == 2 * 4679);
  CHECK(isolated(debian().edges) == 0);
  CHECK(share_within_classes(debian().edges, debian().labels) > 0.9);
}

TEST_CASE("so many nodes of each class are shown, all others are asked for, and the seed draws which") {
  Rng rng(1), same(1), other(2);
  const LabelSplit split = split_labels(debian(), 20, rng);
  CHECK(split.shown.size() == 140);
  CHECK(split.asked.size() == 2955 - 140);
  Ids all = split.shown, shown_of(7, 0);
  all.insert(all.end(), split.asked.begin(), split.asked.end());
  std::sort(all.begin(), all.end());
  CHECK(all == Tensor::arange(2955).to_ints());
  for (const std::int64_t node : split.shown) {
    ++shown_of[static_cast<std::size_t>(debian().labels[static_cast<std::size_t>(node)])];
  }
  CHECK(shown_of == Ids(7, 20));
  CHECK(split_labels(debian(), 20, same).shown == split.shown);
  CHECK(split_labels(debian(), 20, other).shown != split.shown);
  CHECK(thrown<std::invalid_argument>([&] { split_labels(packages_of(small), 1, rng); }) ==
        "split_labels: with 1 nodes shown, class 0 has none left to ask for");
}

TEST_CASE("edges drawn anew leave each node as many ends, and say nothing of its class") {
  Rng rng(3);
  const Edges drawn = rewired(debian().edges, rng);
  CHECK(drawn.count() == debian().edges.count());
  CHECK(degrees(drawn) == degrees(debian().edges));
  CHECK(share_within_classes(drawn, debian().labels) < 0.3);
  CHECK(isolated(no_edges(5)) == 5);
}

TEST_CASE("the karate club is read, and its two leaders are shown") {
  const Club club = read_club(lesson::data_path("karate/karate.tsv"));
  CHECK(club.sides.size() == 34);
  CHECK(club.edges.count() == 2 * 78);
  CHECK(degrees(club.edges)[33] == 17);
  const NodeTask task = club_task(club);
  CHECK(task.shown == Ids{0, 33});
  CHECK(task.asked.size() == 32);
  CHECK(club.sides[0] == 0);
  CHECK(club.sides[33] == 1);
}

TEST_CASE("a file of a club that is none is answered with the line and what is wrong") {
  const std::string head = "#members\nn\t0\t0\nn\t1\t1\n";
  CHECK(club_complaint(head + "n\t3\t0\n") == "graph.tsv:4: '3' is no number of a member: there are 3, counted from 0");
  CHECK(club_complaint(head + "n\t1\t0\n") == "graph.tsv:4: members stand in the order of their numbers, without gaps");
  CHECK(club_complaint(head + "n\t2\t2\n") == "graph.tsv:4: '2' is no number of a side: there are 2, counted from 0");
  CHECK(club_complaint(head + "e\t0\t2\t1\n") ==
        "graph.tsv:4: '2' is no number of a member: there are 2, counted from 0");
  CHECK(club_complaint(head + "e\t0\t1\n") == "graph.tsv:4: 3 columns in place of 4, between tabs");
  CHECK(club_complaint(head + "x\n") == "graph.tsv:4: a line begins with 'n', a member, or 'e', an edge");
}
