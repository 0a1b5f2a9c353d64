#include "tutorials/lesson/graph.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tests/tutorials/lesson/support.hpp"

using namespace attend::lesson;
using namespace lesson_test;

namespace {

Graph small_graph() { return {"who", {"a", "<b>", "c"}, {{0, 2, 0.25}, {0, 1, 0.75}, {1, 0, 1}, {2, 2, 0.5}}}; }

}  // namespace

TEST_CASE("a graph in words names its heaviest edges first, as many as are wanted") {
  CHECK(in_words(small_graph(), 2) == "'<b>' looks at 'a' (1.00), 'a' at '<b>' (0.75)");
  CHECK(in_words(Graph{"", {"a"}, {}}) == "no node looks at another");
}

TEST_CASE("a node in words names all of its edges, the heaviest first") {
  CHECK(node_in_words(small_graph(), 0) == "'a' looks at '<b>' (0.75), 'c' (0.25)");
  CHECK(node_in_words(Graph{"", {"alone"}, {}}, 0) == "'alone' looks at no node");
}

TEST_CASE("the picture has every edge and every node, with escaped labels") {
  const std::string picture = svg(small_graph());
  CHECK(occurrences(picture, "class=\"edge\"") == 4);
  CHECK(occurrences(picture, "class=\"node\"") == 3);
  CHECK(occurrences(picture, ">&lt;b&gt;</text>") == 1);
  CHECK(picture.find("<b>") == std::string::npos);
}

TEST_CASE("two nodes that look at each other have two curves, on different sides") {
  const std::string picture = svg(Graph{"", {"a", "b"}, {{0, 1, 1}, {1, 0, 1}}, {{0, 0.5}, {1, 0.5}}});
  CHECK(picture.find("M56.0 240.0 Q320.0 303.4 584.0 240.0") != std::string::npos);
  CHECK(picture.find("M584.0 240.0 Q320.0 176.6 56.0 240.0") != std::string::npos);
}

TEST_CASE("without places the nodes stand on a circle, the first at the top") {
  CHECK(svg(Graph{"", {"a", "b"}, {}}).find("<circle cx=\"320.0\" cy=\"56.0\"") != std::string::npos);
}

TEST_CASE("nodes of one group have one colour, and those of another have another") {
  Graph graph = small_graph();
  CHECK(occurrences(svg(graph), "fill=\"#ffffff\" stroke=\"#333333\"") == 3);
  graph.groups = {1, 0, 1};
  CHECK(occurrences(svg(graph), "fill=\"#fde2b3\" stroke=\"#333333\"") == 1);
  CHECK(occurrences(svg(graph), "fill=\"#b9d6f2\" stroke=\"#333333\"") == 2);
}

TEST_CASE("edges of nodes that are not there, and places that are not one for each node, are refused") {
  Graph graph = small_graph();
  graph.edges.push_back({0, 3, 0.5});
  CHECK(thrown<std::invalid_argument>([&] { svg(graph); }) == "Graph: an edge from 0 to 3 among 3 nodes");
  graph = small_graph();
  graph.places = {{0, 0}};
  CHECK(thrown<std::invalid_argument>([&] { in_words(graph); }) == "Graph: 1 places for 3 nodes");
  graph = small_graph();
  graph.groups = {0, 1};
  CHECK(thrown<std::invalid_argument>([&] { svg(graph); }) == "Graph: 2 groups for 3 nodes");
  CHECK(thrown<std::invalid_argument>([] { node_in_words(small_graph(), 3); }) == "Graph: node 3 of 3");
}
