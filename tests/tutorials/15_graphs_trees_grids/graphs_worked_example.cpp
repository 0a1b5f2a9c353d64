// The numbers that the page of chapter 15 works out on paper, for graphs.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/compare.hpp"
#include "tests/tutorials/on_page.hpp"
#include "tutorials/15_graphs_trees_grids/graph_on_paper.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter15;
using namespace attend::test;
using lesson::fixed;

namespace {

const OnPage on_page("15_graphs_trees_grids");

}  // namespace

TEST_CASE("the page shows the weights of the edges that lead to node 2, by hand and by the layer") {
  const std::vector<double> scores = {0, 1, 0.2 * -2};  // leaky_relu(h_i + h_j) from 0, 1 and 2
  const double two = std::exp(scores[0]) + std::exp(scores[1]), three = two + std::exp(scores[2]);
  const PaperResult bare = paper_attention(paper_edges()), loops = paper_attention(paper_edges_with_loops());
  const std::vector<std::size_t> at = {0, 1, 4};  // behind the two edges stand the self-loops of 0, 1, 2, 3
  for (std::size_t e = 0; e < 3; ++e) {
    const double by_hand = std::exp(scores[e]) / three;
    check_close(loops.weights[at[e]], by_hand, 1e-14, 0);
    std::string row = "| " + std::to_string(e) + " | " + (e == 2 ? "−0.4" : fixed(scores[e], 1)) + " | ";
    row += e == 2 ? "-" : fixed(bare.weights[e], 4);
    row += " | " + fixed(by_hand, 4) + " |";
    CAPTURE(row);
    CHECK(on_page(row));
    if (e < 2) check_close(bare.weights[e], std::exp(scores[e]) / two, 1e-14, 0);
  }
}

TEST_CASE("the page shows what node 2 gets, and that a node without an edge gets 0 and with a self-loop itself") {
  const std::vector<double> bare = paper_attention(paper_edges()).y,
                            loops = paper_attention(paper_edges_with_loops()).y;
  CHECK(on_page("y₂ = 0.2689 · 1 + 0.7311 · 2 = " + fixed(bare[2], 4)));
  CHECK(on_page("0.2279 · 1 + 0.6194 · 2 − 0.1527 · 1 = " + fixed(loops[2], 4)));
  CHECK(bare[3] == 0);
  CHECK(loops[3] == 5);
}

TEST_CASE("self-loops added twice count twice") {
  const std::vector<double> twice = paper_attention(paper_edges_with_loops(true)).y;
  const double total = 1 + std::exp(1.0) + 2 * std::exp(-0.4);
  check_close(twice[2], (1 + 2 * std::exp(1.0) - 2 * std::exp(-0.4)) / total, 1e-14, 0);
}
