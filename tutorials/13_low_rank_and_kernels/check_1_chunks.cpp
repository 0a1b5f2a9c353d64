// The check of exercise 1: shapes, tiny numbers, properties, cost, gradients, training.
#include <cmath>
#include <functional>

#include "autograd/grad.hpp"
#include "nn/loss.hpp"
#include "nn/optimizer.hpp"
#include "tensor/cost.hpp"
#include "tensor/random.hpp"
#include "tutorials/13_low_rank_and_kernels/exercise_1_chunks.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter13;
using namespace attend::lesson;

namespace {

constexpr Size T = 6, m = 4, dv = 3, c = 2;

struct Inputs {
  Var fq, fk, v;
  explicit Inputs(Size positions = T) {
    Rng rng(1);
    fq = Var::parameter(rng.uniform({positions, m}, 0.2, 2, DType::float64));
    fk = Var::parameter(rng.uniform({positions, m}, 0.2, 2, DType::float64));
    v = Var::parameter(rng.normal({positions, dv}, 0, 1, DType::float64));
  }
};

// By definition, over all pairs: the sum over the keys and the normaliser, each with a weight for every pair.
using Weight = std::function<double(Size i, Size j)>;
Tensor each(const Weight& weight) {
  std::vector<double> weights;
  for (Size i = 0; i < T; ++i) {
    for (Size j = 0; j < T; ++j) weights.push_back(weight(i, j));
  }
  return Tensor::from(weights, {T, T}, DType::float64);
}
Var defined(const Inputs& in, const Weight& of_sum, const Weight& of_normaliser) {
  const Var products = matmul(in.fq, transpose(in.fk));
  return matmul(products * each(of_sum), in.v) / sum(products * each(of_normaliser), {1}, true);
}
Var defined(const Inputs& in, const Weight& of_both) { return defined(in, of_both, of_both); }

Var right(const Inputs& in) {
  const Size positions = in.v.shape()[0];
  Vars rows;
  for (Size i = 0; i < positions; ++i) {
    const Var weights = matmul(slice(in.fq, 0, i, 1), transpose(slice(in.fk, 0, 0, i + 1)));  // [1, i + 1]
    rows.push_back(matmul(weights, slice(in.v, 0, 0, i + 1)) / sum(weights, {1}, true));
  }
  return concat(rows, 0);
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

double one_if(bool condition) { return condition ? 1 : 0; }
double causal(Size i, Size j) { return one_if(j <= i); }
double own_chunk(Size i, Size j) { return one_if(j <= i && j / c == i / c); }
double chunks_before(Size i, Size j) { return one_if(j / c < i / c); }
double chunk_before(Size i, Size j) { return one_if(j / c + 1 == i / c); }

std::string bug_of(const Var& given) {
  const Inputs in;
  if (given.shape() != Shape{T, dv}) return "";
  const Var products = matmul(in.fq, transpose(in.fk));
  struct Suspect {
    Var result;
    std::string bug;
  };
  const std::vector<Suspect> suspects = {
      {defined(in, own_chunk), "each chunk stands for itself: what comes before it is in S and z."},
      {defined(in, [](Size i, Size j) { return causal(i, j) + one_if(j / c == i / c); }),
       "S and z take in the chunk before they are used, so that its keys are counted twice, later ones among them. "
       "Use them first."},
      {defined(in, [](Size i, Size j) { return one_if(j / c <= i / c); }),
       "keys of the chunk that come after the query are seen: P is 0 there."},
      {defined(in, [](Size i, Size j) { return one_if(j < i); }),
       "a query does not see its own key: j <= i, the diagonal of P included."},
      {defined(in, chunks_before), "nothing of the own chunk is seen: P v is missing."},
      {defined(in, [](Size i, Size j) { return own_chunk(i, j) + chunk_before(i, j); }),
       "S and z hold the chunk before alone: they are running sums, S = S + φ(k)ᵀ v."},
      {matmul(products * each(causal), in.v), "the sums are not divided by their normaliser."},
      {defined(in, causal, own_chunk), "the sums are divided by the row sums of P alone. φ(q) z belongs to it."},
      {defined(in, causal, chunks_before), "the sums are divided by φ(q) z alone. The row sums of P belong to it."},
      {defined(in, causal, [](Size i, Size j) { return own_chunk(i, j) + chunk_before(i, j); }),
       "z holds the features of the chunk before alone: it is a running sum, as S is."},
  };
  for (const Suspect& suspect : suspects) {
    const Tensor expected = slice(suspect.result, 0, c, T - c).value();  // the first chunk may be 0 / 0
    if (close(slice(given, 0, c, T - c).value(), expected)) return suspect.bug;
  }
  return "";
}

std::string likely_bug(const ChunksAnswer& answer) {
  const Inputs in;
  return likely_bug_of([&] { return answer.attend(in.fq, in.fk, in.v, c); }, bug_of);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shapes(const ChunksAnswer& answer, Steps& steps) {
  const Inputs in;
  expect_shapes(
      steps, "φ(q), φ(k) " + text(Shape{T, m}) + ", v " + text(Shape{T, dv}) + ", c = 2", text(Shape{T, dv}),
      [&] { return shape_of(answer.attend(in.fq, in.fk, in.v, c)); }, [&] { return likely_bug(answer); });
}

void check_numbers(const ChunksAnswer& answer, Steps& steps) {
  const Inputs in;
  const Var wanted = right(in), given = answer.attend(in.fq, in.fk, in.v, c);
  for (Size i = 0; i < T; ++i) {
    const Tensor expected = slice(wanted, 0, i, 1).value(), yours = slice(given, 0, i, 1).value();
    if (close(yours, expected)) continue;
    throw Mistake(
        fill("T = 6, c = 2: position {} gets\nexpected: {}\nyours:    {}", {count(i), listed(expected), listed(yours)}),
        likely_bug(answer));
  }
  steps.passed("six positions in chunks of 2");
}

void check_properties(const ChunksAnswer& answer, Steps& steps) {
  for (const Size chunk : {1, 3, 4, 12}) {
    const Inputs in(12);
    if (close(answer.attend(in.fq, in.fk, in.v, chunk).value(), right(in).value())) continue;
    throw Mistake(fill("T = 12, c = {}: the numbers are others than those of the definition.", {count(chunk)}),
                  likely_bug(answer));
  }
  steps.passed("properties: chunks of 1 to T, all with the same result");
}

void check_cost(const ChunksAnswer& answer, Steps& steps) {
  constexpr Size positions = 96;
  const Inputs in(positions);
  const CostCounter counter;
  answer.attend(in.fq, in.fk, in.v, c);
  const Size found = counter.total().multiplications;
  // Pairs of the chunks, two products with S and z each, the division; and half as much again for another order.
  const Size allowed = 3 * (positions * c * (m + dv + 1) + 2 * positions * m * (dv + 1) + positions * dv) / 2;
  if (found > allowed) {
    throw Mistake(fill("T = 96, c = 2: {} multiplications; {} are allowed.", {count(found), count(allowed)}),
                  "all T² pairs are formed: the right numbers at the price of attention over all pairs. Form those "
                  "within a chunk, and take the rest from S and z.");
  }
  steps.passed(fill("cost: {} multiplications for T = 96, c = 2", {count(found)}));
}

void check_gradients(const ChunksAnswer& answer, Steps& steps) {
  const Inputs in;
  if (!answer.attend(in.fq, in.fk, in.v, c).needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches the inputs.", likely_bug(answer));
  }
  expect_gradients(
      steps, "linear attention by chunks", [&](const Vars& x) { return answer.attend(x[0], x[1], x[2], c); },
      {in.fq.value(), in.fk.value(), in.v.value()}, [&] { return likely_bug(answer); });
}

// Keys learn what the mean of the values so far needs: features that are all alike.
void check_training(const ChunksAnswer& answer, Steps& steps) {
  struct Keys {
    Var k;
    void parameters(const Visit& visit) { visit("k", k); }
  };
  const Inputs in;
  Keys model{log(in.fk).value()};
  model.k = Var::parameter(model.k.value());
  Vars means;
  for (Size i = 0; i < T; ++i) means.push_back(mean(slice(in.v, 0, 0, i + 1), {0}, true));
  const Tensor wanted = concat(means, 0).value();
  const auto loss = [&] {
    return mean_squared_error(answer.attend(in.fq.value(), exp(model.k), in.v.value(), c), wanted);
  };
  expect_training(steps, model, Adam(0.1), 200, loss, 0.2,
                  "keys learn to make each context the mean of the values so far", [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/13_low_rank_and_kernels/exercise_1_chunks.cpp", chunks_answers(),
                       {check_shapes, check_numbers, check_properties, check_cost, check_gradients, check_training});
}
