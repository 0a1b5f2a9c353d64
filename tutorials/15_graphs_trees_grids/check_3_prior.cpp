// The check of exercise 3: shapes, tiny numbers, properties, gradients, training.
#include <algorithm>
#include <cmath>

#include "autograd/grad.hpp"
#include "nn/loss.hpp"
#include "nn/optimizer.hpp"
#include "tensor/random.hpp"
#include "tutorials/15_graphs_trees_grids/exercise_3_prior.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter15;
using namespace attend::lesson;

namespace {

using Numbers = std::vector<double>;

const Numbers some = {0.9, 0.2, 0.8, 0.5};

Var links_of(const Numbers& numbers) {
  return Var::parameter(Tensor::from(numbers, {size_of(numbers)}, DType::float64));
}

// By definition: for every pair, `joined` goes over the links between them, from 1 on.
template <class Join>
Tensor pairwise(const Numbers& links, Join joined) {
  const Size T = size_of(links) + 1;
  Numbers all;
  for (Size i = 0; i < T; ++i) {
    for (Size j = 0; j < T; ++j) {
      double value = 1;
      for (Size m = std::min(i, j); m < std::max(i, j); ++m) value = joined(value, links[static_cast<std::size_t>(m)]);
      all.push_back(value);
    }
  }
  return Tensor::from(all, {T, T}, DType::float64);
}
Tensor right(const Numbers& links) {
  return pairwise(links, [](double a, double b) { return a * b; });
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

// The right prior, changed cell by cell: change(i, j, value).
template <class Change>
Tensor changed(const Numbers& links, Change change) {
  const Tensor prior = right(links);
  const Size T = prior.shape()[0];
  Numbers all;
  for (Size i = 0; i < T; ++i) {
    for (Size j = 0; j < T; ++j) all.push_back(change(i, j, prior.at({i, j})));
  }
  return Tensor::from(all, {T, T}, DType::float64);
}

std::string bug_of(const Var& given) {
  if (given.shape() != Shape{5, 5}) return "";
  Numbers next = some;
  std::rotate(next.begin(), next.begin() + 1, next.end());
  struct Suspect {
    Tensor prior;
    std::string bug;
  };
  const std::vector<Suspect> suspects = {
      {changed(some, [](Size i, Size j, double value) { return i <= j ? value : 0; }),
       "one half is 0: the prior is the same in both directions, C_ji = C_ij."},
      {changed(some, [](Size i, Size j, double value) { return i >= j ? value : 0; }),
       "one half is 0: the prior is the same in both directions, C_ij = C_ji."},
      {changed(some, [](Size i, Size j, double value) { return i == j ? 2 : value; }),
       "the ones stand twice on the diagonal: both halves have them, take the identity away once."},
      {changed(some, [](Size i, Size j, double value) { return i == j ? 0 : value; }),
       "the diagonal is 0: between a position and itself there is no link, and a product of nothing is 1."},
      {right(next), "one link too far: from position j − 1 to j it is links[j − 1]."},
      {changed(some, [](Size i, Size j, double value) { return i - j > 1 || j - i > 1 ? 0 : value; }),
       "neighbours alone have a prior: further away the links between multiply."},
      {pairwise(some, [](double a, double b) { return std::min(a, b); }),
       "that is the weakest of the links between. They multiply."},
  };
  for (const Suspect& suspect : suspects) {
    if (close(given.value(), suspect.prior)) return suspect.bug;
  }
  return "";
}

std::string likely_bug(const PriorAnswer& answer) {
  return likely_bug_of([&] { return answer.prior(links_of(some)); }, bug_of);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shapes(const PriorAnswer& answer, Steps& steps) {
  expect_shapes(
      steps, "links " + text(Shape{4}), text(Shape{5, 5}), [&] { return shape_of(answer.prior(links_of(some))); },
      [&] { return likely_bug(answer); });
}

void check_numbers(const PriorAnswer& answer, Steps& steps) {
  const Tensor wanted = right(some), given = answer.prior(links_of(some)).value();
  for (Size i = 0; i < 5; ++i) {
    const Tensor expected = slice(Var(wanted), 0, i, 1).value(), yours = slice(Var(given), 0, i, 1).value();
    if (close(yours, expected)) continue;
    throw Mistake(fill("links 0.9, 0.2, 0.8, 0.5: row {} is\nexpected: {}\nyours:    {}",
                       {count(i), listed(expected), listed(yours)}),
                  likely_bug(answer));
  }
  steps.passed("five positions with links 0.9, 0.2, 0.8, 0.5");
}

void check_properties(const PriorAnswer& answer, Steps& steps) {
  for (const Numbers& links : {Numbers{0.3}, Numbers{1, 1, 1, 1, 1, 1}, Numbers{1, 0, 1, 0.5}, Numbers{0, 0}}) {
    const Tensor given = answer.prior(links_of(links)).value();
    if (close(given, right(links))) continue;
    const Tensor links_shown = Tensor::from(links, {size_of(links)}, DType::float64);
    const bool has_zero = std::count(links.begin(), links.end(), 0.0) > 0;
    throw Mistake(
        fill("links {}: the prior is\n{}", {listed(links_shown), listed(given)}),
        has_zero ? "the logarithm of a link of 0 is −∞: multiply, and a link of 0 cuts exactly." : likely_bug(answer));
  }
  steps.passed("properties: one link, links of 1, links of 0");
}

void check_gradients(const PriorAnswer& answer, Steps& steps) {
  if (!answer.prior(links_of(some)).needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches the links.", likely_bug(answer));
  }
  expect_gradients(
      steps, "prior", [&](const Vars& x) { return answer.prior(x[0]); },
      {Tensor::from({0.9, 0.0, 0.8, 0.5}, {4}, DType::float64)}, [&] { return likely_bug(answer); });
}

// Links learn where a sequence is cut, from the prior that is wanted.
void check_training(const PriorAnswer& answer, Steps& steps) {
  struct Links {
    Var scores;
    void parameters(const Visit& visit) { visit("scores", scores); }
  };
  Links model{links_of({0, 0, 0, 0, 0})};
  const Numbers cut = {1, 1, 0, 1, 1};
  const Tensor wanted = right(cut);
  Adam adam(0.1);
  for (int step = 0; step < 150; ++step) {
    Var loss = mean_squared_error(answer.prior(sigmoid(model.scores)), Var(wanted));
    adam.step(model, grad(std::move(loss), parameters(model)));
  }
  const Tensor learned = sigmoid(model.scores).value();
  if (!(largest_difference(learned, Tensor::from(cut, {5}, DType::float64)) < 0.2)) {
    throw Mistake("After 150 steps the links are " + listed(learned) + "; wanted are 1, 1, 0, 1, 1.",
                  likely_bug(answer));
  }
  steps.passed("a short training: links learn where to cut");
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/15_graphs_trees_grids/exercise_3_prior.cpp", prior_answers(),
                       {check_shapes, check_numbers, check_properties, check_gradients, check_training});
}
