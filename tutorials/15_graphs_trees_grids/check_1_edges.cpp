// The check of exercise 1: shapes, tiny numbers, properties, cost, gradients, training.
#include <cmath>

#include "autograd/grad.hpp"
#include "nn/loss.hpp"
#include "nn/optimizer.hpp"
#include "tensor/cost.hpp"
#include "tensor/random.hpp"
#include "tutorials/15_graphs_trees_grids/exercise_1_edges.hpp"
#include "tutorials/15_graphs_trees_grids/largest.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter15;
using namespace attend::lesson;

namespace {

constexpr Size nodes = 5, d = 3;

// Node 3 leads to others and none leads to it, node 4 is alone, 2 leads to itself.
const std::vector<std::int64_t> from = {0, 1, 3, 2, 2, 3, 1}, to = {1, 2, 2, 2, 0, 0, 0};
constexpr Size E = 7;

Edges edges() {
  std::vector<std::int64_t> ends = from;
  ends.insert(ends.end(), to.begin(), to.end());
  return {Tensor::from_ints(ends, {2, E}), nodes};
}

struct Inputs {
  Var scores, values;
  Inputs() {
    Rng rng(1);
    scores = Var::parameter(rng.normal({E}, 0, 1, DType::float64));
    values = Var::parameter(rng.normal({nodes, d}, 0, 1, DType::float64));
  }
};

// In plain loops: each edge is divided by the sum over its group, or over all edges, and what the node `carried` has
// goes to the node `reached`. With `shifted` the largest score of the target is taken off first, which only in groups
// of one target makes no difference.
using Ends = std::vector<std::int64_t>;
Tensor defined(const Inputs& in, const Ends* group, const Ends& carried, const Ends& reached, bool shifted = false) {
  std::vector<double> s = in.scores.value().to_vector();
  if (shifted) {
    const std::vector<double> largest = largest_by_target(in.scores, edges()).to_vector();
    for (std::size_t e = 0; e < s.size(); ++e) s[e] -= largest[static_cast<std::size_t>(to[e])];
  }
  std::vector<double> context(static_cast<std::size_t>(nodes * d), 0);
  for (std::size_t e = 0; e < s.size(); ++e) {
    double total = 0;
    for (std::size_t other = 0; other < s.size(); ++other) {
      total += group == nullptr || (*group)[other] == (*group)[e] ? std::exp(s[other]) : 0;
    }
    for (Size c = 0; c < d; ++c) {
      context[static_cast<std::size_t>(reached[e] * d + c)] +=
          std::exp(s[e]) / total * in.values.value().at({carried[e], c});
    }
  }
  return Tensor::from(context, {nodes, d}, DType::float64);
}
Tensor right(const Inputs& in) { return defined(in, &to, from, to); }

// ---- the usual mistakes -------------------------------------------------------------------------------------------

// What is summed without a division: exp(score less the largest of its node).
Tensor undivided(const Inputs& in) {
  const Var shifted = in.scores - take(Var(largest_by_target(in.scores, edges())), 0, edges().targets());
  return kernel::mul(right(in), unsqueeze(sum_by_target(exp(shifted), edges()), 1).value());
}

std::string bug_of(const Var& given) {
  const Inputs in;
  if (given.shape() == Shape{E, d}) {
    return "there is a row for each edge: add up those that lead to the same node, by index_add.";
  }
  if (given.shape() != Shape{nodes, d}) return "";
  const std::string over_all =
      "the softmax goes over all edges at once. Each node has one of its own, over the edges that lead to it.";
  const std::string by_source =
      "the weights of the edges with the same source sum to 1. Those with the same target shall.";
  const std::string turned = "the edges are turned around: they lead from sources to targets, and the target attends.";
  const std::vector<std::pair<Tensor, std::string>> suspects = {
      {defined(in, nullptr, from, to), over_all},
      {defined(in, nullptr, from, to, true), over_all},
      {defined(in, &from, from, to), by_source},
      {defined(in, &from, from, to, true), by_source},
      {defined(in, &from, to, from), turned},
      {defined(in, &from, to, from, true), turned},
      {defined(in, &to, to, to), "each node sums its own value. An edge carries that of its source."},
      {undivided(in), "the weights are not divided by their sum: take(totals, 0, targets)."},
  };
  for (const auto& [result, bug] : suspects) {
    if (close(given.value(), result)) return bug;
  }
  return "";
}

std::string likely_bug(const EdgesAnswer& answer) {
  const Inputs in;
  return likely_bug_of([&] { return answer.attend(in.scores, in.values, edges()); }, bug_of);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shapes(const EdgesAnswer& answer, Steps& steps) {
  const Inputs in;
  expect_shapes(
      steps, "scores " + text(Shape{E}) + ", values " + text(Shape{nodes, d}), text(Shape{nodes, d}),
      [&] { return shape_of(answer.attend(in.scores, in.values, edges())); }, [&] { return likely_bug(answer); });
}

void check_numbers(const EdgesAnswer& answer, Steps& steps) {
  const Inputs in;
  const Tensor wanted = right(in), given = answer.attend(in.scores, in.values, edges()).value();
  for (Size i = 0; i < nodes; ++i) {
    const Tensor expected = slice(wanted, 0, i, 1), yours = slice(given, 0, i, 1);
    if (close(yours, expected)) continue;
    throw Mistake(
        fill("7 edges, 5 nodes: node {} gets\nexpected: {}\nyours:    {}", {count(i), listed(expected), listed(yours)}),
        likely_bug(answer));
  }
  steps.passed("five nodes, one without an edge that leads to it, and one alone");
}

// The result for scores shifted by a number for each target is the same: the softmax does not see it.
void check_shifted(const EdgesAnswer& answer, const std::vector<double>& shift, const std::string& bug) {
  const Inputs in;
  const Var shifts(kernel::take(Tensor::from(shift, {nodes}, DType::float64), 0, edges().targets()));
  const Tensor given = answer.attend(in.scores + shifts, in.values, edges()).value();
  if (close(given, right(in))) return;
  throw Mistake(
      fill("With {} on the scores of node 0 and {} on those of node 2:\nexpected: {}\nyours:    {}",
           {fixed(shift[0], 0), fixed(shift[2], 0), listed(slice(right(in), 0, 0, 1)), listed(slice(given, 0, 0, 1))}),
      bug);
}

void check_properties(const EdgesAnswer& answer, Steps& steps) {
  check_shifted(answer, {1000, 1000, 1000, 1000, 1000},
                "exp(1000) is an overflow, and ∞ / ∞ is NaN: take the largest score off first.");
  check_shifted(
      answer, {-2000, 0, 0, 0, 0},
      "the largest of all scores was taken off: for a node whose scores lie far below, all parts are 0, and so "
      "is their sum. Each node needs its own largest.");
  steps.passed("properties: large scores, and scores far below those of other nodes");
}

void check_cost(const EdgesAnswer& answer, Steps& steps) {
  constexpr Size many = 300;
  Rng rng(2);
  const Edges chain(kernel::take(Tensor::arange(many), 0, Tensor::from_ints({0, 1, 2, 3, 1, 2, 3, 4}, {2, 4})), many);
  const Var scores(rng.normal({4}, 0, 1, DType::float64)), values(rng.normal({many, d}, 0, 1, DType::float64));
  const CostCounter counter;
  answer.attend(scores, values, chain);
  const Size found = counter.total().multiplications, allowed = many * d + 100;
  if (found > allowed) {
    throw Mistake(fill("300 nodes, 4 edges: {} multiplications; {} are allowed.", {count(found), count(allowed)}),
                  "something of nodes · nodes is formed. Edges alone: take and index_add.");
  }
  steps.passed(fill("cost: {} multiplications for 300 nodes and 4 edges", {count(found)}));
}

void check_gradients(const EdgesAnswer& answer, Steps& steps) {
  const Inputs in;
  if (!answer.attend(in.scores, in.values, edges()).needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches the inputs.", likely_bug(answer));
  }
  expect_gradients(
      steps, "along edges", [&](const Vars& x) { return answer.attend(x[0], x[1], edges()); },
      {in.scores.value(), in.values.value()}, [&] { return likely_bug(answer); });
}

// The scores learn to bring node 0 the value of node 1, and node 2 that of node 3.
void check_training(const EdgesAnswer& answer, Steps& steps) {
  struct Scores {
    Var scores;
    void parameters(const Visit& visit) { visit("scores", scores); }
  };
  const Inputs in;
  Scores model{in.scores};
  const Var wanted = take(in.values, 0, Tensor::from_ints({1, 3}, {2})).value();
  const Tensor asked = Tensor::from_ints({0, 2}, {2});
  const auto loss = [&] {
    return mean_squared_error(take(answer.attend(model.scores, in.values.value(), edges()), 0, asked), wanted);
  };
  expect_training(steps, model, Adam(0.1), 100, loss, 0.2, "scores learn which neighbour is wanted",
                  [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/15_graphs_trees_grids/exercise_1_edges.cpp", edges_answers(),
                       {check_shapes, check_numbers, check_properties, check_cost, check_gradients, check_training});
}
