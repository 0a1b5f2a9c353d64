// The check of exercise 2: shape, tiny numbers, properties, differences, a lookup with traps in its padding.
#include <cmath>
#include <functional>

#include "tensor/kernels.hpp"
#include "tensor/random.hpp"
#include "tutorials/03_additive_attention/exercise_2_padding.hpp"
#include "tutorials/03_additive_attention/lookup.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/table.hpp"

using namespace attend;
using namespace attend::chapter03;
using namespace attend::lesson;

namespace {

using Lengths = std::vector<Size>;

Tensor random(const Shape& shape, std::uint64_t seed) { return Rng(seed).normal(shape, 0, 1, DType::float64); }

// The weights in plain loops.
Tensor weights_by_loops(const Tensor& scores, const Lengths& lengths) {
  const Size B = scores.shape()[0], Tq = scores.shape()[1], Tk = scores.shape()[2];
  std::vector<double> weights;
  for (Size b = 0; b < B; ++b) {
    const Size length = lengths[static_cast<std::size_t>(b)];
    for (Size i = 0; i < Tq; ++i) {
      double total = 0;
      for (Size j = 0; j < length; ++j) total += std::exp(scores.at({b, i, j}));
      for (Size j = 0; j < Tk; ++j) weights.push_back(j < length ? std::exp(scores.at({b, i, j})) / total : 0);
    }
  }
  return Tensor::from(weights, scores.shape(), DType::float64);
}

std::string without_last_break(std::string text) {
  text.pop_back();
  return text;
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

struct Suspect {
  std::function<Tensor(const Var& scores, const Lengths& lengths)> weights;
  std::string bug;
};

Lengths moved(Lengths lengths, Size by, Size longest) {
  for (Size& length : lengths) length = std::min(std::max<Size>(length + by, 0), longest);
  return lengths;
}

std::vector<Suspect> suspects() {
  const auto there = [](const Lengths& lengths, Size Tk) {
    return unsqueeze(padding_mask(lengths, Tk).visible_keys(), 1);
  };
  return {
      {[](const Var& s, const Lengths&) { return softmax(s).value(); },
       "the lengths have no part in the weights, and padding gets some."},
      {[=](const Var& s, const Lengths& n) {
         return where(there(n, s.shape()[2]), softmax(s), Tensor::zeros({}, DType::float64)).value();
       },
       "the zeros come after the softmax, which has then given a share to padding, and that share is lost. Leave "
       "padding out of the softmax itself."},
      {[=](const Var& s, const Lengths& n) { return masked_softmax(s, transpose(there(n, s.shape()[1]))).value(); },
       "the mask lies on the axis of the queries, [B, Tk, 1], and hides rows. Hidden are keys: [B, 1, Tk], columns."},
      {[=](const Var& s, const Lengths& n) {
         return masked_softmax(s, kernel::logical_not(there(n, s.shape()[2]))).value();
       },
       "the mask is upside down: true means text, and only padding is looked at."},
      {[=](const Var& s, const Lengths& n) {
         return softmax(where(there(n, s.shape()[2]), s, Tensor::zeros({}, DType::float64))).value();
       },
       "the scores of padding are set to 0, and a score of 0 is not a weight of 0: exp(0) = 1."},
      {[](const Var& s, const Lengths& n) { return weights_by_loops(s.value(), moved(n, 1, s.shape()[2])); },
       "off by one: one place of padding behind each text is looked at. The text is j < length."},
      {[](const Var& s, const Lengths& n) { return weights_by_loops(s.value(), moved(n, -1, s.shape()[2])); },
       "off by one: the last place of each text is hidden. The text is j < length."},
      {[](const Var& s, const Lengths& n) { return weights_by_loops(s.value(), Lengths(n.size(), n[0])); },
       "the length of the first text is taken for all of them."},
  };
}

// What most likely made the answer wrong, from what it gives for three texts of 3, 2 and 4 and as many queries as keys,
// so that no shape stops it.
std::string likely_bug(const PaddingAnswer& answer) {
  const Var scores = Var::parameter(random({3, 4, 4}, 1)), value(random({3, 4, 2}, 2));
  const Lengths lengths{3, 2, 4};
  const auto look = [&](const Attended& given) -> std::string {
    const Tensor weights = given.weights.value();
    for (const Suspect& suspect : suspects()) {
      if (close(weights, suspect.weights(scores, lengths))) return suspect.bug;
    }
    if (!close(matmul(given.weights, value).value(), given.context.value())) {
      return "the context is not made of these weights: it must be their product with the values.";
    }
    if (!close(weights, weights_by_loops(scores.value(), lengths))) {
      const Tensor padding = kernel::logical_not(unsqueeze(padding_mask(lengths, 4).visible_keys(), 1));
      const Var louder = where(padding, scores + 100.0, scores);
      if (!close(answer.attention(louder, value, lengths).weights.value(), weights)) {
        return "a fixed number was subtracted from the scores of padding, and a score that is large enough overcomes "
               "it.";
      }
    }
    return "";
  };
  return likely_bug_of([&] { return answer.attention(scores, value, lengths); }, look,
                       "Print the mask and the weights of one text.");
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shape(const PaddingAnswer& answer, Steps& steps) {
  const std::string expected = "weights [2, 3, 4], context [2, 3, 5]";
  expect_shapes(
      steps, "scores [2, 3, 4], value [2, 4, 5]", expected,
      [&] {
        return shape_of(answer.attention(random({2, 3, 4}, 1), random({2, 4, 5}, 2), {4, 2}));
      },
      [&] { return likely_bug(answer); });
}

void check_numbers(const PaddingAnswer& answer, Steps& steps) {
  const Tensor scores = Tensor::zeros({3, 1, 3}, DType::float64), value = Tensor::ones({3, 3, 1}, DType::float64);
  const Lengths lengths{2, 3, 1};
  const Tensor found = answer.attention(scores, value, lengths).weights.value();
  const Tensor expected = weights_by_loops(scores, lengths);
  if (!close(found, expected)) {
    lesson::Table table({"length", "key 0", "key 1", "key 2", "sum", " "});
    for (Size b = 0; b < 3; ++b) {
      for (const Tensor& x : {expected, found}) {
        std::vector<std::string> cells = {std::to_string(lengths[static_cast<std::size_t>(b)])};
        double sum = 0;
        for (Size j = 0; j < 3; ++j) {
          cells.push_back(fixed(x.at({b, 0, j}), 3));
          sum += x.at({b, 0, j});
        }
        cells.push_back(fixed(sum, 3));
        cells.push_back(x.shares_block(expected) ? "expected" : "yours");
        table.row(cells);
      }
    }
    throw Mistake("The weights of three texts whose scores are all 0:\n" +
                      without_last_break(table.render(lesson::standard_screen())),
                  likely_bug(answer));
  }
  steps.passed("three texts with scores of 0: 1/2 each, 1/3 each, and 1");
}

void check_properties(const PaddingAnswer& answer, Steps& steps) {
  const Tensor scores = random({2, 3, 4}, 1), value = random({2, 4, 5}, 2);
  const Attended given = answer.attention(scores, value, {4, 2});
  const double padding =
      kernel::max(kernel::abs(slice(slice(given.weights.value(), 0, 1, 1), 2, 2, 2)), {0, 1, 2}, false).item();
  if (padding != 0) {
    throw Mistake("The weight of padding is not 0 but up to " + significant(padding, 2) + ".", likely_bug(answer));
  }
  if (!close(given.weights.value(), weights_by_loops(scores, {4, 2}))) {
    throw Mistake("With scores that are not 0 the weights differ from the formula.", likely_bug(answer));
  }
  const auto second = [](const Tensor& x, Size axis) { return slice(slice(x, 0, 1, 1), axis, 0, 2); };
  const Var alone = answer.attention(second(scores, 2), second(value, 1), {2}).context;
  if (!close(slice(given.context.value(), 0, 1, 1), alone.value())) {
    throw Mistake("A text has another context in a batch than alone.", likely_bug(answer));
  }
  const Tensor empty = answer.attention(scores, value, {4, 0}).weights.value();
  if (!kernel::all_finite(empty)) {
    throw Mistake("A text of length 0 has weights that are not numbers.",
                  "of a row in which all scores are −∞, softmax makes 0 / 0. Its weights shall be 0: masked_softmax.");
  }
  if (!close(slice(empty, 0, 1, 1), Tensor::zeros({1, 3, 4}, DType::float64))) {
    throw Mistake(
        "A text of length 0 has weights that are not 0.",
        "where everything is hidden, a large negative number is the same for all, and padding shares the whole.");
  }
  steps.passed("properties: padding has weight 0; a text alone and in a batch; an empty text");
}

void check_differences(const PaddingAnswer& answer, Steps& steps) {
  const Var scores = Var::parameter(random({2, 2, 3}, 1));
  if (!answer.attention(scores, random({2, 3, 2}, 2), {3, 2}).weights.needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches the scores: the weights have no history.",
                  likely_bug(answer));
  }
  const auto f = [&](const Vars& x) { return answer.attention(x[0], x[1], {3, 2}).context; };
  expect_gradients(steps, "padded attention", f, {random({2, 2, 3}, 1), random({2, 3, 2}, 2)},
                   [&] { return likely_bug(answer); });
}

void check_learning(const PaddingAnswer& answer, Steps& steps) {
  const auto attention = [&](const AdditiveAttention& layer, const Lookup& in) {
    return answer.attention(layer.scores(in.query, layer.projected(in.key)), in.value, in.lengths);
  };
  const Learned learned = learn_lookup(attention, Padding::traps);
  const std::string result =
      lesson::percent(learned.right, 0) + " of new lookups right after training, traps in the padding";
  if (learned.right < 0.95) {
    throw Mistake(result + ", expected at least 95 %.", "none of the usual ones: everything before was right.");
  }
  steps.passed(result + "\n\n" + without_last_break(lesson::render(learned.looked, lesson::standard_screen())));
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/03_additive_attention/exercise_2_padding.cpp", padding_answers(),
                       {check_shape, check_numbers, check_properties, check_differences, check_learning});
}
