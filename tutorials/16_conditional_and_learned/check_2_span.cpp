// The check of exercise 2: shape, tiny numbers, properties, gradients, training.
#include <algorithm>
#include <cmath>

#include "autograd/grad.hpp"
#include "nn/optimizer.hpp"
#include "tensor/random.hpp"
#include "tutorials/16_conditional_and_learned/exercise_2_span.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter16;
using namespace attend::lesson;

namespace {

constexpr Size T = 6;
constexpr double ramp = 2;

struct Inputs {
  Var scores, z;
  explicit Inputs(double span = 1.5) {
    Rng rng(1);
    scores = Var::parameter(rng.normal({T, T}, 0, 1, DType::float64));
    z = Var::parameter(Tensor::full({1}, span, DType::float64));
  }
};

// m of each query and key, by definition; f is what the ramp does with a distance.
template <class F>
Tensor ramps(F f, bool causal = true) {
  std::vector<double> m;
  for (Size i = 0; i < T; ++i) {
    for (Size j = 0; j < T; ++j) m.push_back(causal && j > i ? 0 : f(static_cast<double>(std::abs(i - j))));
  }
  return Tensor::from(m, {T, T}, DType::float64);
}

double clipped(double x) { return std::min(1.0, std::max(0.0, x)); }

auto ramp_of(double z) {
  return [z](double x) { return clipped((ramp + z - x) / ramp); };
}

Var divided(const Inputs& in, const Tensor& m, Size axis = 1) {
  const Var soft = m * exp(in.scores);
  return soft / sum(soft, {axis}, true);
}
Var right(const Inputs& in, double z) { return divided(in, ramps(ramp_of(z))); }

// ---- the usual mistakes -------------------------------------------------------------------------------------------

std::string bug_of(const Var& given) {
  const Inputs in;
  if (given.shape() != Shape{T, T}) return "";
  const auto always = [](double) { return 1.0; };
  const Tensor seen = ramps(always) > 0.0, m = ramps(ramp_of(1.5));
  const Var before = masked_softmax(in.scores, seen);
  struct Suspect {
    Var result;
    std::string bug;
  };
  const std::vector<Suspect> suspects = {
      {m * before, "the weights are not divided by their sum after the ramp: a row must add up to 1."},
      {masked_softmax(in.scores + m, seen), "m was added to the scores. It multiplies exp(score)."},
      {divided(in, ramps([](double x) { return x <= 1.5 ? 1.0 : 0.0; })),
       "the span ends at once, without a ramp: a step has no derivative, and z would never learn."},
      {divided(in, ramps([](double x) { return clipped((1.5 - x) / ramp); })),
       "the ramp lies within the span. It comes behind z: keys up to the distance z count whole."},
      {divided(in, ramps([](double x) { return std::max(0.0, (ramp + 1.5 - x) / ramp); })),
       "near keys count more than whole: m is above 1. Clip it on both sides."},
      {divided(in, ramps(ramp_of(1.5), false)), "keys after the query get weights: only j <= i may."},
      {(m * before) / sum(m * before, {0}, true), "every COLUMN adds up to 1: the sum went over the queries."},
  };
  for (const Suspect& suspect : suspects) {
    if (close(given.value(), suspect.result.value())) return suspect.bug;
  }
  return "";
}

std::string likely_bug(const SpanAnswer& answer) {
  const Inputs in;
  const auto run = [&] { return answer.weights(in.scores, in.z, ramp); };
  const auto look = [&](const Var& given) {
    const std::string bug = bug_of(given);
    if (!bug.empty() || !given.needs_grad()) return bug;
    const Var far = sum(given * ramps([](double x) { return x; }));
    return grad(far, {in.z})[0].item() == 0
               ? std::string("z gets no derivative: it was taken as a number, and no head could learn it.")
               : bug;
  };
  return likely_bug_of(run, look);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shape(const SpanAnswer& answer, Steps& steps) {
  const Inputs in;
  expect_shapes(
      steps, "scores [6, 6], z [1], ramp 2", "[6, 6]", [&] { return shape_of(answer.weights(in.scores, in.z, ramp)); },
      [&] { return likely_bug(answer); });
}

void check_numbers(const SpanAnswer& answer, Steps& steps) {
  const Inputs in;
  const Var wanted = right(in, 1.5), given = answer.weights(in.scores, in.z, ramp);
  for (Size i = 0; i < T; ++i) {
    const Tensor expected = select(wanted, 0, i).value(), yours = select(given, 0, i).value();
    if (close(yours, expected)) continue;
    throw Mistake(fill("z = 1.5, ramp 2: query {} gives\nexpected: {}\nyours:    {}",
                       {count(i), listed(expected), listed(yours)}),
                  likely_bug(answer));
  }
  steps.passed("six queries, z = 1.5, a ramp of 2");
}

void check_properties(const SpanAnswer& answer, Steps& steps) {
  for (const double z : {0.0, 0.7, 3.0, 5.0, 9.0}) {
    const Inputs in(z);
    const Var given = answer.weights(in.scores, in.z, ramp);
    if (close(given.value(), right(in, z).value())) continue;
    throw Mistake(fill("z = {}: the numbers are others than those of the definition.", {exact(z)}), likely_bug(answer));
  }
  steps.passed("properties: from the nearest keys alone to all that came before");
}

void check_gradients(const SpanAnswer& answer, Steps& steps) {
  const Inputs in;
  const Var given = answer.weights(in.scores, in.z, ramp);
  const auto reaches = [&](const Var& x) {
    if (!given.needs_grad()) return false;
    const Var weighed = sum(given * ramps([](double distance) { return distance; }));
    return largest_difference(grad(weighed, {x})[0].value(), Tensor::zeros(x.shape(), DType::float64)) > 0;
  };
  if (!reaches(in.scores) || !reaches(in.z)) {
    throw Mistake("The numbers are right, but not every input gets a gradient.", likely_bug(answer));
  }
  expect_gradients(
      steps, "adaptive span", [&](const Vars& x) { return answer.weights(x[0], x[1], ramp); },
      {in.scores.value(), in.z.value()}, [&] { return likely_bug(answer); });
}

// The span learns that what stands four before is wanted.
void check_training(const SpanAnswer& answer, Steps& steps) {
  struct Span {
    Var z;
    void parameters(const Visit& visit) { visit("z", z); }
  };
  const Inputs in(2.5);
  Span model{in.z};
  SGD descent(0.5);
  for (int step = 0; step < 200; ++step) {
    const Var weights = answer.weights(Var(Tensor::zeros({T, T}, DType::float64)), model.z, ramp);
    const Var wanted = select(select(weights, 0, T - 1), 0, 1);  // of the last query, the key four before
    descent.step(model, grad(-1.0 * wanted, parameters(model)));
  }
  if (!(model.z.item() > 2.9 && model.z.item() < 4.1)) {
    throw Mistake(fill("z goes from 2.5 to {}; the key at distance 4 is wanted.", {fixed(model.z.item(), 2)}),
                  likely_bug(answer));
  }
  steps.passed("a short training: z moves until the wanted key counts whole");
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/16_conditional_and_learned/exercise_2_span.cpp", span_answers(),
                       {check_shape, check_numbers, check_properties, check_gradients, check_training});
}
