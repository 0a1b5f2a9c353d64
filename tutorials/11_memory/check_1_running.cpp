// The check of exercise 1: shapes, tiny numbers, properties, gradients, training.
#include <cmath>
#include <functional>
#include <limits>

#include "nn/loss.hpp"
#include "nn/optimizer.hpp"
#include "tensor/random.hpp"
#include "tutorials/11_memory/exercise_1_running.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter11;
using namespace attend::lesson;

namespace {

constexpr Size Tq = 2, n = 4, Dv = 3, blocks = 3;  // all but n and `blocks` different

Tensor numbers(const std::vector<double>& values, const Shape& shape) {
  return Tensor::from(values, shape, DType::float64);
}

// Three blocks, of which the second holds the largest scores of one query and the third those of the other.
const Tensor scores =
    numbers({1, 3, 2, 0, 5, 2, 4, 1, 0, 1, 4, 2, 0, -1, 1, -2, 2, 1, 0, 1, 6, 3, 5, 4}, {Tq, blocks* n});

Tensor values() { return Rng(1).normal({blocks * n, Dv}, 0, 1, DType::float64); }

Running after(const RunningAnswer& answer, const Var& s, const Var& v, Size count_of_blocks) {
  Running running = nothing_yet(s.shape()[0], v.shape()[1], DType::float64);
  for (Size block = 0; block < count_of_blocks; ++block) {
    running = answer.with_block(running, slice(s, 1, block * n, n), slice(v, 0, block * n, n));
  }
  return running;
}

// The three, by definition, of the first blocks.
Running defined(const Var& s, const Var& v, Size count_of_blocks) {
  const Var some = slice(s, 1, 0, count_of_blocks * n), of_them = slice(v, 0, 0, count_of_blocks * n);
  const Var highest = max(some, {1}, true), shares = exp(some - highest);
  return {highest, sum(shares, {1}, true), matmul(shares, of_them)};
}

bool filled(const Running& given) {
  return given.highest.defined() && given.normaliser.defined() && given.sum.defined();
}
bool same_shapes(const Running& a, const Running& b) {
  return a.highest.shape() == b.highest.shape() && a.normaliser.shape() == b.normaliser.shape() &&
         a.sum.shape() == b.sum.shape();
}
bool close_to(const Running& a, const Running& b) {
  return filled(a) && same_shapes(a, b) && close(a.highest.value(), b.highest.value()) &&
         close(a.normaliser.value(), b.normaliser.value()) && close(a.sum.value(), b.sum.value());
}
std::string shapes_of(const Running& given) {
  return "highest " + shape_of(given.highest) + ", normaliser " + shape_of(given.normaliser) + ", sum " +
         shape_of(given.sum);
}
std::string listed(const Running& given) {
  return "highest " + lesson::listed(given.highest.value()) + "\n          normaliser " +
         lesson::listed(given.normaliser.value()) + "\n          sum " + lesson::listed(given.sum.value());
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

struct Suspect {
  std::function<Running(const Running&, const Var&, const Var&)> step;
  std::string bug;
};

// The step with this maximum, and with or without the factor for the normaliser and for the sum that are there already.
Running with_maximum(const Running& so_far, const Var& s, const Var& v, const Var& highest, bool of_normaliser = true,
                     bool of_sum = true) {
  const Var shares = exp(s - highest);
  const Var right = exp(so_far.highest - highest), none(Tensor::ones(right.shape(), DType::float64));
  return {highest, (of_normaliser ? right : none) * so_far.normaliser + sum(shares, {1}, true),
          (of_sum ? right : none) * so_far.sum + matmul(shares, v)};
}

std::function<Running(const Running&, const Var&, const Var&)> with_factors(bool of_normaliser, bool of_sum) {
  return [=](const Running& so_far, const Var& s, const Var& v) {
    return with_maximum(so_far, s, v, maximum(so_far.highest, max(s, {1}, true)), of_normaliser, of_sum);
  };
}

std::vector<Suspect> suspects() {
  return {
      {with_factors(false, false),
       "what was there before goes on as it is, in units of the old maximum. Where the maximum rises from m to m', the "
       "old normaliser and sum need the factor exp(m − m')."},
      {with_factors(true, false), "the normaliser is brought to the new maximum, the sum of values is not."},
      {with_factors(false, true), "the sum of values is brought to the new maximum, the normaliser is not."},
      {[](const Running& so_far, const Var& s, const Var& v) {
         const Var shares = exp(s);
         return Running{maximum(so_far.highest, max(s, {1}, true)), so_far.normaliser + sum(shares, {1}, true),
                        so_far.sum + matmul(shares, v)};
       },
       "exp was taken of the scores as they are. That is the same softmax while scores are small, and exp(1000) is "
       "infinite: take off the maximum first."},
      {[](const Running& so_far, const Var& s, const Var& v) { return with_maximum(so_far, s, v, max(s, {1}, true)); },
       "the maximum is that of this block alone. Where an older score is larger, the factor exceeds 1, and with large "
       "scores it is infinite: maximum(old, new) never falls."},
      {[](const Running& so_far, const Var& s, const Var& v) {
         const Var all = max(maximum(so_far.highest, s), {0, 1}, true);
         return with_maximum(so_far, s, v, broadcast_to(all, so_far.highest.shape()));
       },
       "one maximum was taken for all queries. A query whose own scores lie far below it gets exp(−∞) = 0 everywhere, "
       "and 0 / 0: every row has its own maximum."},
  };
}

std::string likely_bug(const RunningAnswer& answer) {
  const Var s = Var::parameter(scores), v = Var::parameter(values());
  Running given;
  try {
    given = after(answer, s, v, 1);
    if (filled(given)) given = after(answer, s, v, blocks);
  } catch (const std::exception& error) {
    return std::string("an op does not like its arguments: ") + error.what() +
           ". Keys are axis 1, and it stays, with the size 1: max(x, {1}, true).";
  }
  const int missing = !given.highest.defined() + !given.normaliser.defined() + !given.sum.defined();
  if (missing == 3) return "the hole is not filled: the results were never assigned.";
  if (missing > 0) return "one of the three results, or two, was never assigned.";
  if (given.highest.shape() != Shape{Tq, 1} || given.normaliser.shape() != Shape{Tq, 1}) {
    return "the maximum or the sum ran over axis 0, the queries. Keys are axis 1, and it stays, with the size 1: "
           "max(x, {1}, true).";
  }
  if (std::isnan(after(answer, s, v, 1).normaliser.value().at({0, 0}))) {
    return "the factor is the other way round. exp(old − new) is at most 1, and 0 for the first block; exp(new − old) "
           "is infinite there, and ∞ · 0 is NaN.";
  }
  for (const Suspect& suspect : suspects()) {
    Running wrong = nothing_yet(Tq, Dv, DType::float64);
    for (Size block = 0; block < blocks; ++block) {
      wrong = suspect.step(wrong, slice(s, 1, block * n, n), slice(v, 0, block * n, n));
    }
    if (close_to(given, wrong)) return suspect.bug;
  }
  const Running right = defined(s, v, blocks);
  if (close(after(answer, s, v, 1).sum.value(), (defined(s, v, 1).sum / defined(s, v, 1).normaliser).value())) {
    return "the sum was divided by the normaliser already. That comes once, after the last block; the next block needs "
           "the sum itself.";
  }
  if (close_to(given, right) && !(given.sum.needs_grad() && given.normaliser.needs_grad()))
    return "something cuts the history: .value(), .item() or detach.";
  return "none of the usual ones. Do block 1 by hand: highest is the largest score, normaliser Σ exp(score − highest).";
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shapes(const RunningAnswer& answer, Steps& steps) {
  const Var s(scores), v(values());
  expect_shapes(
      steps, "scores " + text(Shape{Tq, n}) + ", values " + text(Shape{n, Dv}), shapes_of(defined(s, v, 1)),
      [&] { return shapes_of(after(answer, s, v, 1)); }, [&] { return likely_bug(answer); });
}

void check_numbers(const RunningAnswer& answer, Steps& steps) {
  const Var s(scores), v(values());
  for (Size count_of_blocks = 1; count_of_blocks <= blocks; ++count_of_blocks) {
    const Running wanted = defined(s, v, count_of_blocks), given = after(answer, s, v, count_of_blocks);
    if (close_to(given, wanted)) continue;
    throw Mistake(fill("After block {} of {}:\nexpected: {}\nyours:    {}",
                       {count(count_of_blocks), count(blocks), listed(wanted), listed(given)}),
                  likely_bug(answer));
  }
  steps.passed("maximum, normaliser and sum after each of three blocks");
}

// Large scores, a maximum that falls from block to block, and rows that lie far apart.
void check_properties(const RunningAnswer& answer, Steps& steps) {
  const Var v(values());
  const Tensor rows = numbers({1000, -1000}, {Tq, 1}),
               falling = numbers({900, 900, 900, 900, 0, 0, 0, 0, -900, -900, -900, -900}, {blocks * n});
  const std::vector<std::pair<std::string, Var>> cases = {
      {"1000 added to the scores of one query and taken from those of the other", Var(scores) + Var(rows)},
      {"scores that fall by 900 from block to block", Var(scores) + Var(falling)}};
  for (const auto& [what, s] : cases) {
    const Var wanted = matmul(softmax(s), v), given = context(after(answer, s, v, blocks));
    if (close(given.value(), wanted.value())) continue;
    throw Mistake("With " + what + " the context is\nexpected: " + lesson::listed(wanted.value()) +
                      "\nyours:    " + lesson::listed(given.value()),
                  likely_bug(answer));
  }
  steps.passed("properties: large scores, far apart and falling, give the softmax of all");
}

void check_gradients(const RunningAnswer& answer, Steps& steps) {
  const Var s = Var::parameter(scores);
  if (!context(after(answer, s, values(), blocks)).needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches the scores.", likely_bug(answer));
  }
  expect_gradients(
      steps, "running softmax", [&](const Vars& in) { return context(after(answer, in[0], in[1], blocks)); },
      {scores, values()}, [&] { return likely_bug(answer); });
}

// A query learns scores with which its context becomes the last value.
void check_training(const RunningAnswer& answer, Steps& steps) {
  struct Scores {
    Var s = Var::parameter(Tensor::zeros({1, blocks* n}, DType::float64));
    void parameters(const Visit& visit) { visit("s", s); }
  } model;
  const Var v(values()), wanted = slice(v, 0, blocks * n - 1, 1);
  const auto loss = [&] { return mean_squared_error(context(after(answer, model.s, v, blocks)), wanted); };
  expect_training(steps, model, SGD(3), 100, loss, 0.2, "a query learns to look at the last key",
                  [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/11_memory/exercise_1_running.cpp", running_answers(),
                       {check_shapes, check_numbers, check_properties, check_gradients, check_training});
}
