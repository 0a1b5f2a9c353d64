// The numbers that the page of chapter 15 works out on paper for trees and grids.
#include <doctest/doctest.h>

#include "nn/attention/grid.hpp"
#include "nn/attention/tree.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tests/tutorials/on_page.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::test;
using lesson::fixed;

namespace {

const OnPage on_page("15_graphs_trees_grids");

}  // namespace

TEST_CASE("the page shows what a prior of the links 0.9, 0.2, 0.8 makes of 10, 20, 30, 40") {
  const Var prior = constituent_prior(Var(Tensor::from({0.9, 0.2, 0.8}, {1, 3}, DType::float64)));
  const Var none = Tensor::zeros({1, 1, 4, 1}, DType::float64);
  const Var values = Tensor::from({10, 20, 30, 40}, {1, 1, 4, 1}, DType::float64);
  const Tensor context = attention_with_prior(none, none, values, prior).context.value();
  const Tensor shared = attention_with_prior(none, none, values, prior, {}, true).context.value();
  for (Size i = 0; i < 4; ++i) {
    std::string shown = "| " + std::to_string(i) + " |";
    for (Size j = 0; j < 4; ++j) shown += " " + fixed(prior.value().at({0, i, j}), 3) + " |";
    shown += " " + fixed(context.at({0, 0, i, 0}), 2) + " | " + fixed(shared.at({0, 0, i, 0}), 2) + " |";
    CAPTURE(shown);
    CHECK(on_page(shown));
  }
}

TEST_CASE("the page shows the first window and the first grid of an image of 4 x 4") {
  std::vector<double> numbers;
  for (int i = 0; i < 16; ++i) numbers.push_back(i / 4 * 10 + i % 4);
  const Var image = Tensor::from(numbers, {1, 1, 16, 1}, DType::float64);
  for (const auto kind : {Partition::Kind::window, Partition::Kind::grid}) {
    const Tensor groups = Partition(kind, 4, 4, 2, 2).cut(image).value();
    std::string shown = kind == Partition::Kind::window ? "window 0" : "grid 0  ";
    for (Size i = 0; i < 4; ++i) {
      const std::string number = fixed(groups.at({0, 0, 0, i, 0}), 0);
      shown += "  " + std::string(2 - number.size(), '0') + number;
    }
    CAPTURE(shown);
    CHECK(on_page(shown));
  }
}
