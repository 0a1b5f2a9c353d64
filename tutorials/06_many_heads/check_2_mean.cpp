// The check of exercise 2: shape, tiny numbers, properties, differences.
#include <functional>
#include <limits>

#include "tensor/random.hpp"
#include "tutorials/06_many_heads/classifier.hpp"
#include "tutorials/06_many_heads/exercise_2_mean.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"

using namespace attend;
using namespace attend::chapter06;
using namespace attend::lesson;

namespace {

constexpr Size B = 2, T = 4, E = 3;  // all different
const std::vector<Size> lengths = {4, 2};

Tensor there() { return Tensor::from_bools({true, true, true, true, true, true, false, false}, {B, T}); }

Var random_words() {
  Rng rng(1);
  return Var::parameter(rng.normal({B, T, E}, 0, 1, DType::float64));
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

struct Suspect {
  std::function<Var(const Var&)> result;
  std::string bug;
};

Var words_of_all(const Var& x) { return where(unsqueeze(there(), 2), x, Tensor::zeros({}, x.dtype())); }
Var counts() { return Var(Tensor::from({4, 2}, {B, 1}, DType::float64)); }

std::vector<Suspect> suspects() {
  return {
      {[](const Var& x) { return mean(x, {1}); }, "all places count, the padding too."},
      {[](const Var& x) { return mean(words_of_all(x), {1}); },
       "the sum was divided by T, the places, and not by the words that are there: a short sentence comes out small."},
      {[](const Var& x) { return sum(words_of_all(x), {1}); },
       "the sum was not divided: a long sentence comes out large."},
      {[](const Var& x) { return (sum(x, {1}) - sum(words_of_all(x), {1})) / counts(); },
       "what was summed is the padding: `where` takes its second argument where the condition is TRUE."},
      {[](const Var& x) { return sum(words_of_all(x), {1}) / 3.0; },
       "every sum was divided by the mean number of words. Each sentence has its own."},
      {[](const Var& x) { return sum(words_of_all(x), {0}) / 2.0; },
       "the sum ran over axis 0, the sentences of the batch. The words are axis 1."},
  };
}

std::string likely_bug(const MeanAnswer& answer) {
  const Var x = random_words();
  const auto look = [&](const Var& given) -> std::string {
    for (const Suspect& suspect : suspects()) {
      const Var wrong = suspect.result(x);
      if (given.shape() == wrong.shape() && close(given.value(), wrong.value())) return suspect.bug;
    }
    return "";
  };
  return likely_bug_of([&] { return answer.mean_of(x, there()); }, look);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shape(const MeanAnswer& answer, Steps& steps) {
  const std::string expected = text(Shape{B, E});
  expect_shapes(
      steps, "x " + text(Shape{B, T, E}), expected, [&] { return shape_of(answer.mean_of(random_words(), there())); },
      [&] { return likely_bug(answer); });
}

void check_numbers(const MeanAnswer& answer, Steps& steps) {
  const Var x = random_words(), wanted = mean_of_words(x, lengths), given = answer.mean_of(x, there());
  if (!close(given.value(), wanted.value())) {
    throw Mistake("A sentence of four words and one of two:\nexpected: " + listed(wanted.value()) +
                      "\nyours:    " + listed(given.value()),
                  likely_bug(answer));
  }
  steps.passed("a sentence of four words and one of two");
}

void check_properties(const MeanAnswer& answer, Steps& steps) {
  const Var x = random_words();
  const Var nan(Tensor::full({}, std::numeric_limits<double>::quiet_NaN(), DType::float64));
  const Var dirty = where(unsqueeze(there(), 2), x, nan);
  if (!close(answer.mean_of(dirty, there()).value(), mean_of_words(x, lengths).value())) {
    throw Mistake("With NaN in the padding the result is " + listed(answer.mean_of(dirty, there()).value()),
                  "0 · NaN is NaN: multiplying by the flags does not hide what stands in the padding. `where` does.");
  }
  steps.passed("properties: what stands in the padding, NaN included, has no part in it");
}

void check_differences(const MeanAnswer& answer, Steps& steps) {
  const Var x = random_words();
  if (!answer.mean_of(x, there()).needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches x.", likely_bug(answer));
  }
  expect_gradients(
      steps, "mean of words", [&](const Vars& in) { return answer.mean_of(in[0], there()); }, {x.value()},
      [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/06_many_heads/exercise_2_mean.cpp", mean_answers(),
                       {check_shape, check_numbers, check_properties, check_differences});
}
