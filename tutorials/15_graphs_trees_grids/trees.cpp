#include "tutorials/15_graphs_trees_grids/trees.hpp"

#include <algorithm>
#include <map>

#include "autograd/grad.hpp"
#include "nn/loss.hpp"
#include "tensor/cost.hpp"

namespace attend::chapter15 {
namespace {

using Symbols = std::vector<std::int64_t>;

// One sequence of a batch.
struct Asked {
  Symbols input, answer;
  Tree tree;
};

Tree chain(Size T) {
  std::vector<Size> parents;
  for (Size i = 0; i < T; ++i) parents.push_back(i - 1);
  return Tree(parents);
}

// Filled up to the longest: with padding, and nothing is asked there.
TreeBatch together(const std::vector<Asked>& drawn) {
  std::size_t T = 0;
  for (const Asked& one : drawn) T = std::max(T, one.input.size());
  Symbols inputs, answers;
  std::vector<Tree> trees;
  for (Asked one : drawn) {
    one.input.resize(T, list_padding);
    one.answer.resize(T, -1);
    inputs.insert(inputs.end(), one.input.begin(), one.input.end());
    answers.insert(answers.end(), one.answer.begin(), one.answer.end());
    trees.push_back(one.tree);
  }
  const Shape shape = {static_cast<Size>(drawn.size()), static_cast<Size>(T)};
  return {Tensor::from_ints(inputs, shape), Tensor::from_ints(answers, shape), trees};
}

template <class DrawOne>
std::function<TreeBatch(Size, Rng&)> batches_of(DrawOne draw_one) {
  return [draw_one](Size batch, Rng& rng) {
    std::vector<Asked> drawn;
    for (Size b = 0; b < batch; ++b) drawn.push_back(draw_one(rng));
    return together(drawn);
  };
}

Asked draw_phrases(Rng& rng) {
  constexpr std::size_t T = 32;
  constexpr std::int64_t stop = 10;
  Symbols input, answer;
  while (input.size() < T) {
    Symbols phrase(static_cast<std::size_t>(2 + rng.below(6)));
    for (std::int64_t& digit : phrase) digit = rng.below(10);
    phrase.resize(std::min(phrase.size(), T - input.size()));
    input.insert(input.end(), phrase.begin(), phrase.end());
    answer.resize(input.size(), *std::max_element(phrase.begin(), phrase.end()));
    if (input.size() == T) break;
    input.push_back(stop);
    answer.push_back(-1);
  }
  return {input, answer, chain(T)};
}

Size counted(const std::function<void()>& run) {
  const Recording off(false);
  const CostCounter counter;
  run();
  return counter.total().multiplications;
}

}  // namespace

std::string name_of(TreeView view) {
  switch (view) {
    case TreeView::flat:
      return "flat";
    case TreeView::subtree:
      return "subtree";
    case TreeView::children:
      return "children";
    case TreeView::parent:
      return "parent";
    case TreeView::prior:
      return "prior";
  }
  throw std::invalid_argument("chapter 15: a view that there is not");
}

TreeTask value_task() {
  return {
      "value", list_symbols, 3, {800, 32, 2e-3, 2048}, {TreeView::flat, TreeView::children}, batches_of([](Rng& rng) {
        const Expression drawn = draw_expression({}, rng);
        Symbols answer(drawn.symbols.size(), -1);
        answer[0] = drawn.value;
        return Asked{drawn.symbols, answer, drawn.tree()};
      })};
}

TreeTask before_task() {
  return {"symbol before",
          list_symbols,
          2,
          {200, 32, 3e-3, 256},
          {TreeView::flat, TreeView::children},
          batches_of([](Rng& rng) {
            const Expression drawn = draw_expression({}, rng);
            Symbols answer = {-1};
            answer.insert(answer.end(), drawn.symbols.begin(), drawn.symbols.end() - 1);
            return Asked{drawn.symbols, answer, drawn.tree()};
          })};
}

TreeTask phrases_task() {
  return {"phrases", 11, 2, {250, 32, 2e-3, 256}, {TreeView::flat, TreeView::prior}, batches_of(draw_phrases)};
}

TreeTask reversal_task() {
  const lesson::SequenceTask task = lesson::reversal_task(32, 10);
  return {"reversal", 10, 2, {400, 32, 3e-3, 256}, {TreeView::flat, TreeView::prior}, [task](Size batch, Rng& rng) {
            const lesson::SequenceBatch drawn = task.draw(batch, rng);
            return TreeBatch{drawn.input, drawn.answer,
                             std::vector<Tree>(static_cast<std::size_t>(batch), chain(task.length))};
          }};
}

std::vector<TreeTask> tree_tasks() { return {value_task(), before_task(), phrases_task(), reversal_task()}; }

Mask mask_of(TreeView view, const TreeBatch& batch) {
  const Size T = batch.input.shape()[1];
  if (view == TreeView::subtree) return subtree_mask(batch.trees, T);
  if (view == TreeView::children) return children_mask(batch.trees, T);
  if (view == TreeView::parent) return Mask(transpose(children_mask(batch.trees, T).allowed()));
  std::vector<Size> lengths;
  for (const Tree& tree : batch.trees) lengths.push_back(tree.size());
  return padding_mask(lengths, T);
}

LearnedReader learn(TreeView view, const TreeTask& task, std::uint64_t seed) {
  Rng rng(seed);
  Rng weights = rng.split(), test_draws = rng.split();
  Reader reader(task.symbols, task.layers, view == TreeView::prior, weights);
  lesson::train(reader, task.plan, rng, [&](const Reader& model, Rng& draws) {
    const TreeBatch batch = task.draw(task.plan.batch, draws);
    return cross_entropy(model(batch.input, mask_of(view, batch)), batch.answer);
  });
  const TreeBatch test = task.draw(task.plan.test_sequences, test_draws);
  const Recording off(false);
  const double right = lesson::accuracy(reader(test.input, mask_of(view, test)).value(), test.answer);
  return {std::move(reader), right};
}

double most_frequent(const TreeTask& task, std::uint64_t seed) {
  Rng rng(seed);
  std::map<std::int64_t, double> times;
  double asked = 0, most = 0;
  for (const std::int64_t answer : task.draw(1000, rng).answer.to_ints()) {
    if (answer < 0) continue;
    asked += 1;
    most = std::max(most, times[answer] += 1);
  }
  return most / asked;
}

std::vector<double> seen_by_first(const Mask& mask, Size T, Size layers, std::uint64_t seed) {
  Rng rng(seed);
  const auto drawn = [&] { return Var(rng.normal({1, 1, T, 4}, 0, 1, DType::float64)); };
  const Var x = Var::parameter(drawn().value());
  Var y = x;
  for (Size l = 0; l < layers; ++l) y = scaled_dot_attention(drawn(), drawn(), y, {mask}).context;
  const Tensor g = grad(sum(slice(y, 2, 0, 1)), {x})[0].value();
  std::vector<double> seen;
  for (Size j = 0; j < T; ++j) seen.push_back(g.at({0, 0, j, 0}) != 0);
  return seen;
}

CountedCost cost_of_constituents(Size T, Size size) {
  Rng rng(1);
  const ConstituentAttention layer(size, rng);
  const Var x(rng.normal({1, T, size}, 0, 1));
  const Size projections = 2 * T * size * size, scores = T * size + 2 * (T - 1) * size, softmax = 2 * T;
  const Size links = T - 1, prior = T * (T - 1);
  return {counted([&] { layer(x); }), projections + scores + softmax + links + prior};
}

CountedCost cost_of_attention_with_prior(Size T, Size d) {
  Rng rng(1);
  const auto drawn = [&](const Shape& shape) { return Var(rng.normal(shape, 0, 1)); };
  const Var q = drawn({1, 1, T, d}), k = drawn({1, 1, T, d}), v = drawn({1, 1, T, d}), prior = drawn({1, T, T});
  return {counted([&] { attention_with_prior(q, k, v, prior); }), attention_multiplications(T, d, T * T) + T * T};
}

}  // namespace attend::chapter15
