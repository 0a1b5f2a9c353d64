// The check of exercise 2: shapes, tiny numbers, properties, cost, gradients, training.
#include "autograd/grad.hpp"
#include "nn/loss.hpp"
#include "nn/optimizer.hpp"
#include "tensor/cost.hpp"
#include "tensor/kernels.hpp"
#include "tensor/random.hpp"
#include "tutorials/15_graphs_trees_grids/exercise_2_dynamic.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter15;
using namespace attend::lesson;

namespace {

constexpr Size nodes = 4, in = 3, D = 5, E = 6;

Edges edges() { return {Tensor::from_ints({0, 1, 3, 2, 2, 3, 1, 2, 2, 2, 0, 0}, {2, E}), nodes}; }

// From every node to every node: edge i · nodes + j leads from j to i.
Edges complete() {
  std::vector<std::int64_t> ends;
  for (Size i = 0; i < nodes * nodes; ++i) ends.push_back(i % nodes);
  for (Size i = 0; i < nodes * nodes; ++i) ends.push_back(i / nodes);
  return {Tensor::from_ints(ends, {2, nodes * nodes}), nodes};
}

struct Inputs {
  Var h, W_target, W_source, a;
  explicit Inputs(std::uint64_t seed = 1) {
    Rng rng(seed);
    const auto drawn = [&](const Shape& shape) { return Var::parameter(rng.normal(shape, 0, 1, DType::float64)); };
    h = drawn({nodes, in});
    W_target = drawn({in, D});
    W_source = drawn({in, D});
    a = drawn({D});
  }
  Var asked(const DynamicAnswer& of, const Edges& along) const { return of.scores(h, along, W_target, W_source, a); }
};

double leaky(double x, double slope = 0.2) { return x > 0 ? x : slope * x; }

// In plain loops: `score` makes one number of what the target and the source bring, c by c, and of a.
template <class Score>
Tensor defined(const Inputs& of, const Edges& along, Score score) {
  const auto product = [&](std::int64_t node, const Var& W, Size c) {
    double sum = 0;
    for (Size k = 0; k < in; ++k) sum += of.h.value().at({node, k}) * W.value().at({k, c});
    return sum;
  };
  const std::vector<std::int64_t> from = along.sources().to_ints(), to = along.targets().to_ints();
  std::vector<double> scores;
  for (std::size_t e = 0; e < from.size(); ++e) {
    std::vector<double> i, j, a;
    for (Size c = 0; c < D; ++c) {
      i.push_back(product(to[e], of.W_target, c));
      j.push_back(product(from[e], of.W_source, c));
      a.push_back(of.a.value().at({c}));
    }
    scores.push_back(score(i, j, a));
  }
  return Tensor::from(scores, {along.count()}, DType::float64);
}

using Numbers = std::vector<double>;

// aᵀ of a function of both parts.
template <class Of>
auto summed(Of of) {
  return [=](const Numbers& i, const Numbers& j, const Numbers& a) {
    double sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * of(i[c], j[c]);
    return sum;
  };
}

Tensor right(const Inputs& of, const Edges& along) {
  return defined(of, along, summed([](double i, double j) { return leaky(i + j); }));
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

Inputs with_one_matrix() {
  Inputs of;
  of.W_target = of.W_source;
  return of;
}
Edges turned() {
  const Edges along = edges();
  return {kernel::take(along.ends, 0, Tensor::from_ints({1, 0}, {2})), nodes};
}

std::string bug_of(const Var& given) {
  const Inputs of;
  if (given.shape() == Shape{E, D}) return "there are D numbers for each edge: aᵀ sums them.";
  if (given.shape() != Shape{E}) return "";
  const auto plain = summed([](double i, double j) { return i + j; });
  const std::vector<std::pair<Tensor, std::string>> suspects = {
      {defined(of, edges(),
               [&](const Numbers& i, const Numbers& j, const Numbers& a) { return leaky(plain(i, j, a)); }),
       "the leaky relu stands behind a. That is GAT: all nodes rank their neighbours alike. It belongs before a."},
      {defined(of, edges(), summed([](double i, double j) { return leaky(i) + leaky(j); })),
       "the leaky relu was taken of each part by itself: then target and source never meet. It is of their sum."},
      {defined(of, edges(), plain), "there is no leaky relu: what the target adds is the same for all its edges."},
      {defined(of, edges(), summed([](double i, double j) { return leaky(i + j, 0); })),
       "the slope is 0: what lies below 0 keeps a fifth of itself."},
      {defined(of, edges(), summed([](double i, double j) { return leaky(i + j, 0.01); })),
       "the slope is 0.01, the default of leaky_relu: it is 0.2 here."},
      {right(of, turned()), "sources and targets are exchanged: W_target is for the node that attends."},
      {right(with_one_matrix(), edges()), "W_source for both: the node that attends has a matrix of its own."},
      {defined(of, edges(), summed([](double, double j) { return leaky(j); })),
       "there is no part of the node that attends in the score."},
  };
  for (const auto& [result, bug] : suspects) {
    if (close(given.value(), result)) return bug;
  }
  return "";
}

std::string likely_bug(const DynamicAnswer& answer) {
  return likely_bug_of([&] { return Inputs().asked(answer, edges()); }, bug_of);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shapes(const DynamicAnswer& answer, Steps& steps) {
  expect_shapes(
      steps, "h " + text(Shape{nodes, in}) + ", W " + text(Shape{in, D}) + ", a " + text(Shape{D}) + ", 6 edges",
      text(Shape{E}), [&] { return shape_of(Inputs().asked(answer, edges())); }, [&] { return likely_bug(answer); });
}

void check_numbers(const DynamicAnswer& answer, Steps& steps) {
  const Tensor expected = right(Inputs(), edges()), yours = Inputs().asked(answer, edges()).value();
  if (!close(yours, expected)) {
    throw Mistake(fill("The scores of six edges\nexpected: {}\nyours:    {}", {listed(expected), listed(yours)}),
                  likely_bug(answer));
  }
  steps.passed("the scores of six edges");
}

void check_properties(const DynamicAnswer& answer, Steps& steps) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Inputs of(seed);
    if (close(of.asked(answer, complete()).value(), right(of, complete()))) continue;
    throw Mistake("Over a complete graph the scores are others than those of the formula.", likely_bug(answer));
  }
  steps.passed("properties: complete graphs, whose nodes rank each other differently");
}

void check_cost(const DynamicAnswer& answer, Steps& steps) {
  const CostCounter counter;
  Inputs().asked(answer, complete());
  const Size found = counter.total().multiplications, allowed = 2 * nodes * in * D + 3 * nodes * nodes * D;
  if (found > allowed) {
    throw Mistake(fill("4 nodes, 16 edges: {} multiplications; {} are allowed.", {count(found), count(allowed)}),
                  "W is multiplied for each edge. Multiply for each node, and take the products to the edges.");
  }
  steps.passed(fill("cost: {} multiplications for 4 nodes and 16 edges", {count(found)}));
}

void check_gradients(const DynamicAnswer& answer, Steps& steps) {
  const Inputs of;
  if (!of.asked(answer, edges()).needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches the inputs.", likely_bug(answer));
  }
  expect_gradients(
      steps, "scores", [&](const Vars& x) { return answer.scores(x[0], edges(), x[1], x[2], x[3]); },
      {of.h.value(), of.W_target.value(), of.W_source.value(), of.a.value()}, [&] { return likely_bug(answer); });
}

// Each of four nodes learns to look at another one: a ranking of its own.
void check_training(const DynamicAnswer& answer, Steps& steps) {
  struct Model {
    Var h, W_target, W_source, a;
    void parameters(const Visit& visit) {
      visit("h", h), visit("W_target", W_target), visit("W_source", W_source), visit("a", a);
    }
  };
  const Inputs of(3);
  Model model{of.h, of.W_target, of.W_source, of.a};
  const Tensor wanted = Tensor::from_ints({1, 2, 3, 0}, {nodes});
  const auto loss = [&] {
    const Var scores = answer.scores(model.h, complete(), model.W_target, model.W_source, model.a);
    return cross_entropy(reshape(scores, {nodes, nodes}), wanted);
  };
  expect_training(steps, model, Adam(0.05), 200, loss, 0.2, "each of four nodes learns to look at another one",
                  [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/15_graphs_trees_grids/exercise_2_dynamic.cpp", dynamic_answers(),
                       {check_shapes, check_numbers, check_properties, check_cost, check_gradients, check_training});
}
