// Expressions of ListOps, and what chapter 15 reads them with.
#include "tutorials/15_graphs_trees_grids/trees.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stack>

#include "tensor/difference.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::chapter15;
using namespace attend::test;

namespace {

// The value and the depth of an expression, from its symbols alone: a stack of lists.
struct Computed {
  std::int64_t value = -1;
  Size depth = 0;
};
Computed computed(const std::vector<std::int64_t>& symbols) {
  Computed found;
  std::vector<std::vector<std::int64_t>> lists;  // each its operator, then its numbers
  const auto take = [&](std::int64_t number) {
    lists.empty() ? void(found.value = number) : lists.back().push_back(number);
  };
  for (const std::int64_t symbol : symbols) {
    if (symbol < max_list) {
      take(symbol);
    } else if (symbol < list_end) {
      lists.push_back({symbol});
      found.depth = std::max(found.depth, static_cast<Size>(lists.size()));
    } else {
      const std::vector<std::int64_t> list = lists.back();
      lists.pop_back();
      take(value_of(list[0], {list.begin() + 1, list.end()}));
    }
  }
  return found;
}

}  // namespace

TEST_CASE("lists are computed as ListOps says; the median of an even number is rounded down") {
  CHECK(value_of(max_list, {2, 9, 4}) == 9);
  CHECK(value_of(min_list, {2, 9, 4}) == 2);
  CHECK(value_of(median_list, {9, 2, 4}) == 4);
  CHECK(value_of(median_list, {9, 2, 4, 5}) == 4);
  CHECK(value_of(sum_list, {9, 2, 4}) == 5);
  check_throws_with([] { value_of(max_list, {}); }, {"value_of: ", "without numbers"});
  check_throws_with([] { value_of(list_end, {1}); }, {"value_of: ", "14", "no operator"});
}

TEST_CASE("drawn expressions are as deep as wanted, not too long, and have the value that their symbols say") {
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    const Expression drawn = draw_expression({}, rng);
    CAPTURE(drawn.text());
    const Computed found = computed(drawn.symbols);
    CHECK(found.value == drawn.value);
    CHECK(found.depth == 3);
    CHECK(drawn.size() <= 32);
    CHECK(drawn.tree().size() == drawn.size());
  }
  const Expression smallest = draw_expression({2, 2, 7}, rng);
  CHECK(smallest.size() == 7);
  check_throws_with([&] { draw_expression({2, 4, 6}, rng); }, {"draw_expression: ", "depth of 2", "6 symbols"});
  check_throws_with([&] { draw_expression({0, 4, 6}, rng); }, {"draw_expression: ", "depth of 0"});
  check_throws_with([&] { draw_expression({1, 1, 6}, rng); }, {"draw_expression: ", "1 arguments"});
}

TEST_CASE("the expression of the page is one, and is written as there") {
  const Expression paper = expression_on_paper();
  CHECK(paper.text() == "[MAX 2 [MIN 8 3 ] 0 ]");
  CHECK(computed(paper.symbols).value == paper.value);
  CHECK(written(list_padding) == "-");
}

TEST_CASE("a batch is as long as its longest, the rest is padding, and answers stand where they are asked") {
  Rng rng(2);
  for (const TreeTask& task : tree_tasks()) {
    CAPTURE(task.name);
    const TreeBatch batch = task.draw(5, rng);
    const Size T = batch.input.shape()[1];
    CHECK(batch.answer.shape() == batch.input.shape());
    Size longest = 0;
    for (std::size_t b = 0; b < batch.trees.size(); ++b) {
      longest = std::max(longest, batch.trees[b].size());
      for (Size i = batch.trees[b].size(); i < T; ++i) CHECK(batch.answer.at({static_cast<Size>(b), i}) == -1);
    }
    CHECK(longest == T);
  }
  const TreeBatch values = value_task().draw(1, rng), before = before_task().draw(1, rng);
  CHECK(values.answer.at({0, 0}) == computed(values.input.to_ints()).value);
  CHECK(values.answer.at({0, 1}) == -1);
  CHECK(before.answer.at({0, 0}) == -1);
  for (Size i = 1; i < before.input.shape()[1]; ++i) CHECK(before.answer.at({0, i}) == before.input.at({0, i - 1}));
}

TEST_CASE("in phrases each digit is answered by the largest of its phrase, and a stop is not asked") {
  Rng rng(3);
  const TreeBatch batch = phrases_task().draw(20, rng);
  for (Size b = 0; b < 20; ++b) {
    for (Size i = 0; i < 32; ++i) {
      if (batch.input.at({b, i}) == 10) {
        CHECK(batch.answer.at({b, i}) == -1);
        continue;
      }
      double largest = 0;
      for (Size j = i; j >= 0 && batch.input.at({b, j}) != 10; --j) largest = std::max(largest, batch.input.at({b, j}));
      for (Size j = i; j < 32 && batch.input.at({b, j}) != 10; ++j) largest = std::max(largest, batch.input.at({b, j}));
      CHECK(batch.answer.at({b, i}) == largest);
    }
  }
}

TEST_CASE("a reader does not see what its mask hides: another digit in another list changes nothing") {
  Rng rng(4);
  const Reader reader(list_symbols, 1, false, rng);
  const Expression paper = expression_on_paper();
  const auto scores = [&](std::int64_t eight) {
    std::vector<std::int64_t> symbols = paper.symbols;
    symbols[3] = eight;
    const TreeBatch batch{Tensor::from_ints(symbols, {1, 8}), Tensor(), {paper.tree()}};
    return reader(batch.input, mask_of(TreeView::children, batch)).value();
  };
  const Tensor with_eight = scores(8), with_one = scores(1);
  CHECK(largest_difference(slice(Var(with_eight), 1, 0, 2).value(), slice(Var(with_one), 1, 0, 2).value()) == 0);
  CHECK(largest_difference(slice(Var(with_eight), 1, 2, 1).value(), slice(Var(with_one), 1, 2, 1).value()) > 1e-4);
}

TEST_CASE("the links of a reader grow from layer to layer, unless it forgets them") {
  Rng rng(5);
  Reader reader(11, 2, true, rng);
  const TreeBatch batch = phrases_task().draw(4, rng);
  const auto weakened = [&] {
    const std::vector<Constituents> found = reader.found(batch.input, mask_of(TreeView::prior, batch));
    return max(relu(found[0].links - found[1].links), {0, 1}).item();
  };
  CHECK(weakened() == 0);
  reader.forget_links = true;
  CHECK(weakened() > 0);
}

TEST_CASE("the first symbol depends on as many levels as there are layers, and upside down on itself alone") {
  const Expression paper = expression_on_paper();
  const TreeBatch batch{Tensor::from_ints(paper.symbols, {1, 8}), Tensor(), {paper.tree()}};
  CHECK(seen_by_first(mask_of(TreeView::children, batch), 8, 1, 1) == std::vector<double>{1, 1, 1, 0, 0, 0, 1, 1});
  CHECK(seen_by_first(mask_of(TreeView::children, batch), 8, 2, 1) == std::vector<double>(8, 1));
  CHECK(seen_by_first(mask_of(TreeView::parent, batch), 8, 3, 1) == std::vector<double>{1, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("constituents and attention with a prior cost what their formulas say") {
  for (const Size T : {2, 7, 40}) {
    CAPTURE(T);
    const CountedCost constituents = cost_of_constituents(T, 12), attention = cost_of_attention_with_prior(T, 6);
    CHECK(constituents.counted == constituents.formula);
    CHECK(attention.counted == attention.formula);
  }
}

TEST_CASE("the same seed learns the same, and a task knows what a guess is worth") {
  TreeTask task = phrases_task();
  task.plan.steps = 3;
  task.plan.test_sequences = 16;
  CHECK(learn(TreeView::prior, task, 7).right == learn(TreeView::prior, task, 7).right);
  CHECK(most_frequent(value_task(), 1) < 0.2);
}
