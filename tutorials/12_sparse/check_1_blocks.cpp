// The check of exercise 1: shapes, tiny numbers, properties, cost, gradients, training.
#include <cmath>
#include <functional>

#include "autograd/grad.hpp"
#include "nn/loss.hpp"
#include "nn/optimizer.hpp"
#include "tensor/cost.hpp"
#include "tensor/random.hpp"
#include "tutorials/12_sparse/exercise_1_blocks.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter12;
using namespace attend::lesson;

namespace {

constexpr Size T = 6, d = 4, dv = 3, w = 2;

struct Inputs {
  Var q, k, v;
  explicit Inputs(Size positions = T) {
    Rng rng(1);
    q = Var::parameter(rng.normal({positions, d}, 0, 1, DType::float64));
    k = Var::parameter(rng.normal({positions, d}, 0, 1, DType::float64));
    v = Var::parameter(rng.normal({positions, dv}, 0, 1, DType::float64));
  }
};

// By definition, over all pairs: query i sees key j where sees(i, j) says so.
Var defined(const Inputs& in, const std::function<bool(Size, Size)>& sees, double scale = std::sqrt(d)) {
  const Size positions = in.q.shape()[0];
  std::vector<bool> allowed;
  for (Size i = 0; i < positions; ++i) {
    for (Size j = 0; j < positions; ++j) allowed.push_back(sees(i, j));
  }
  return matmul(
      masked_softmax(matmul(in.q, transpose(in.k)) / scale, Tensor::from_bools(allowed, {positions, positions})), in.v);
}
bool within(Size i, Size j, Size reach) { return i - j <= reach && j - i <= reach; }
Var right(const Inputs& in, Size window = w) {
  return defined(in, [=](Size i, Size j) { return within(i, j, window); });
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

// With `extra` keys of score 0 and value 0 in the sum: what a softmax over more than the window gives.
Var diluted(const Inputs& in, bool only_beyond_the_ends) {
  const Var scores = matmul(in.q, transpose(in.k)) / std::sqrt(static_cast<double>(d));
  const Tensor s = exp(scores).value();
  Vars rows;
  for (Size i = 0; i < T; ++i) {
    double normaliser = 0;
    std::vector<double> shares(static_cast<std::size_t>(T), 0.0);
    for (Size j = i / w * w - w; j < i / w * w + 2 * w; ++j) {
      const bool there = j >= 0 && j < T;
      if (only_beyond_the_ends && !within(i, j, w)) continue;
      normaliser += there ? s.at({i, j}) : 1;
      if (there && within(i, j, w)) shares[static_cast<std::size_t>(j)] = s.at({i, j});
    }
    rows.push_back(matmul(Var(Tensor::from(shares, {1, T}, DType::float64)), in.v) / normaliser);
  }
  return concat(rows, 0);
}

std::string bug_of(const Var& given) {
  const Inputs in;
  if (given.shape() == Shape{T / w, w, dv}) return "the result is still in blocks: reshape it to [T, dv].";
  if (given.shape() != Shape{T, dv}) return "";
  struct Suspect {
    Var result;
    std::string bug;
  };
  const std::vector<Suspect> suspects = {
      {diluted(in, true),
       "the zeros beyond the ends take part: a score of 0 is a score, and exp(0) = 1. Only positions "
       "0 .. T − 1 are allowed."},
      {diluted(in, false), "the mask came after the softmax: what it took away is missing in the sum of the weights."},
      {defined(in, [](Size i, Size j) { return j / w >= i / w - 1 && j / w <= i / w + 1; }),
       "every query of a block sees all 3 w keys beside it. Query p sees those from m = p to p + 2 w."},
      {defined(in, [](Size i, Size j) { return i / w == j / w; }),
       "a query sees its own block alone. Its window reaches into the blocks beside it."},
      {defined(in, [](Size i, Size j) { return j <= i && i - j <= w; }),
       "the window goes to one side: the keys after the query belong to it, too."},
      {defined(in, [](Size i, Size j) { return within(i, j, w - 1); }),
       "the window is one key short on each side: both i − w and i + w belong to it."},
      {defined(
           in, [](Size i, Size j) { return within(i, j, w); }, 1),
       "the scores are not divided by √d."},
  };
  for (const Suspect& suspect : suspects) {
    if (close(given.value(), suspect.result.value())) return suspect.bug;
  }
  return "";
}

std::string likely_bug(const BlocksAnswer& answer) {
  const Inputs in;
  return likely_bug_of([&] { return answer.attend(in.q, in.k, in.v, w); }, bug_of);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shapes(const BlocksAnswer& answer, Steps& steps) {
  const Inputs in;
  expect_shapes(
      steps, "q, k " + text(Shape{T, d}) + ", v " + text(Shape{T, dv}) + ", w = 2", text(Shape{T, dv}),
      [&] { return shape_of(answer.attend(in.q, in.k, in.v, w)); }, [&] { return likely_bug(answer); });
}

void check_numbers(const BlocksAnswer& answer, Steps& steps) {
  const Inputs in;
  const Var wanted = right(in), given = answer.attend(in.q, in.k, in.v, w);
  for (Size i = 0; i < T; ++i) {
    const Tensor expected = slice(wanted, 0, i, 1).value(), yours = slice(given, 0, i, 1).value();
    if (close(yours, expected)) continue;
    throw Mistake(
        fill("T = 6, w = 2: query {} gets\nexpected: {}\nyours:    {}", {count(i), listed(expected), listed(yours)}),
        likely_bug(answer));
  }
  steps.passed("six queries, a window of 2 on each side");
}

void check_properties(const BlocksAnswer& answer, Steps& steps) {
  for (const Size window : {1, 3, 6, 12}) {
    const Inputs in(12);
    if (close(answer.attend(in.q, in.k, in.v, window).value(), right(in, window).value())) continue;
    throw Mistake(fill("T = 12, w = {}: the numbers are others than those of the definition.", {count(window)}),
                  likely_bug(answer));
  }
  steps.passed("properties: windows of 1 to T, one block for all among them");
}

void check_cost(const BlocksAnswer& answer, Steps& steps) {
  constexpr Size positions = 96;
  const Inputs in(positions);
  const CostCounter counter;
  answer.attend(in.q, in.k, in.v, w);
  const Size found = counter.total().multiplications;
  // Two products and two divisions of every score, and as many again for a scale elsewhere.
  const Size allowed = positions * 3 * w * (d + dv + 2) + 2 * positions * (d + dv);
  if (found > allowed) {
    throw Mistake(fill("T = 96, w = 2: {} multiplications; {} are allowed.", {count(found), count(allowed)}),
                  "all T² scores are computed, and most are masked: the right numbers at the price of full attention. "
                  "Cut the queries into blocks first.");
  }
  steps.passed(fill("cost: {} multiplications for T = 96, w = 2", {count(found)}));
}

void check_gradients(const BlocksAnswer& answer, Steps& steps) {
  const Inputs in;
  if (!answer.attend(in.q, in.k, in.v, w).needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches the inputs.", likely_bug(answer));
  }
  expect_gradients(
      steps, "local window", [&](const Vars& x) { return answer.attend(x[0], x[1], x[2], w); },
      {in.q.value(), in.k.value(), in.v.value()}, [&] { return likely_bug(answer); });
}

// Queries learn to look at the key right after them.
void check_training(const BlocksAnswer& answer, Steps& steps) {
  struct Queries {
    Var q;
    void parameters(const Visit& visit) { visit("q", q); }
  };
  const Inputs in;
  Queries model{in.q};
  const Var wanted = concat({slice(in.v, 0, 1, T - 1), slice(in.v, 0, T - 1, 1)}, 0).value();
  const auto loss = [&] { return mean_squared_error(answer.attend(model.q, in.k.value(), in.v.value(), w), wanted); };
  expect_training(steps, model, Adam(0.1), 200, loss, 0.2, "queries learn to look at the key after them",
                  [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/12_sparse/exercise_1_blocks.cpp", blocks_answers(),
                       {check_shapes, check_numbers, check_properties, check_cost, check_gradients, check_training});
}
