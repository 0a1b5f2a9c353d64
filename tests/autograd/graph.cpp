#include "autograd/graph.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "autograd/ops.hpp"

using namespace attend;

namespace {

Var number(double value) { return Var::parameter(Tensor::from({value}, {}, DType::float64)); }

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("the graph shows ops with shapes, leaves as boxes, and an arrow for each use") {
  const Var a = number(2), b = a * a, d = b * (b + 3.0);
  CHECK(graph(d, {{"a", a}, {"d", d}}) ==
        "digraph history {\n"
        "  node [shape = ellipse, fontname = \"sans-serif\"];\n"
        "  n1 [label = \"d = mul\\n[]\"];\n"
        "  n3 -> n1;\n"
        "  n2 -> n1;\n"
        "  n2 [label = \"affine\\n[]\"];\n"
        "  n3 -> n2;\n"
        "  n3 [label = \"mul\\n[]\"];\n"
        "  n4 -> n3;\n"
        "  n4 -> n3;\n"
        "  n4 [label = \"a\\n[]\", shape = box, style = filled, fillcolor = lightyellow];\n"
        "}\n");
}

TEST_CASE("the same computation draws the same graph, however many were made before it") {
  const auto draw = [] {
    const Var x = Var::parameter(Tensor::ones({2, 3})), w = Var::parameter(Tensor::ones({3}));
    return graph(sum(tanh(x * w) + w), {{"w", w}});
  };
  const std::string first = draw();
  number(1);
  CHECK(draw() == first);
}

TEST_CASE("constants and the outputs of an op with several are told apart") {
  const Var x = Var::parameter(Tensor::ones({2, 3}));
  const Vars parts = split(x, {1, 2}, 1);
  const std::string drawn = graph(sum(parts[1] * Var(Tensor::ones({2, 2}))) * Var(Tensor::from({5}, {})));
  CHECK(count(drawn, "split\\n[2, 1], [2, 2]") == 1);
  CHECK(count(drawn, "[label = \"output 1\"]") == 1);
  CHECK(count(drawn, "constant\\n[2, 2]") == 1);
  CHECK(count(drawn, "label = \"5\"") == 1);
  CHECK(count(drawn, "leaf\\n[2, 3]") == 1);
}

TEST_CASE("a name may hold quotes, and two names of one Var are both shown") {
  const Var x = number(1);
  CHECK(count(graph(x, {{"a \"b\" \\", x}}), "label = \"a \\\"b\\\" \\\\\\n[]\"") == 1);
  CHECK(count(graph(x * x, {{"tied", x}, {"w", x}}), "tied, w") == 1);
}

TEST_CASE("of a history of 300,000 nodes the youngest are drawn, without recursion") {
  Var y = number(1);
  for (int i = 0; i < 300000; ++i) y = y * 1.0;
  CHECK(history(y).size() == 300001);
  const std::string drawn = graph(y, {}, 10);
  CHECK(count(drawn, "affine") == 10);
  CHECK(count(drawn, "and 299991 older nodes") == 1);
  CHECK_THROWS_AS(graph(y, {}, 0), std::invalid_argument);
}

TEST_CASE("a constant has an empty history") {
  const Var x(Tensor::ones({2}));
  CHECK(history(x).empty());
  CHECK(count(graph(x), "->") == 0);
}

TEST_CASE("a history lists each node once, every one before its inputs") {
  const Var a = number(2), b = a * a, d = b * (b + 3.0);
  const std::vector<const Node*> nodes = history(d);
  REQUIRE(nodes.size() == 4);
  CHECK(nodes[0] == d.node().get());
  CHECK(nodes[2] == b.node().get());
  CHECK(nodes[3] == a.node().get());
}
