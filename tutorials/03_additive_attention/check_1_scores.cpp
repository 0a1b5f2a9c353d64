// The check of exercise 1: shape, tiny numbers, properties, differences, a lookup that must be learned.
#include <cmath>
#include <functional>

#include "tensor/random.hpp"
#include "tutorials/03_additive_attention/exercise_1_scores.hpp"
#include "tutorials/03_additive_attention/lookup.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/table.hpp"

using namespace attend;
using namespace attend::chapter03;
using namespace attend::lesson;

namespace {

struct AllSizes {
  Size B, Tq, Tk, Dq, Dk, Dv, hidden;
};
constexpr AllSizes different{2, 3, 4, 5, 6, 7, 8}, equal_sizes{3, 3, 3, 3, 3, 3, 3};

Inputs random_inputs(const AllSizes& n, std::uint64_t seed = 1) {
  Rng rng(seed);
  const auto draw = [&](const Shape& shape) { return Var::parameter(rng.normal(shape, 0, 1, DType::float64)); };
  return {draw({n.B, n.Tq, n.Dq}), draw({n.B, n.Tk, n.Dk}), draw({n.B, n.Tk, n.Dv}),
          draw({n.Dq, n.hidden}),  draw({n.Dk, n.hidden}),  draw({n.hidden})};
}

// The example that the page works out on paper.
Inputs on_paper() {
  const auto row = [](const std::vector<double>& values) {
    return Var(Tensor::from(values, {1, static_cast<Size>(values.size()), 1}, DType::float64));
  };
  const Var one(Tensor::ones({1, 1}, DType::float64)), v(Tensor::ones({1}, DType::float64));
  return {row({0, 1}), row({0, 1, 2}), row({10, 20, 30}), one, one, v};
}

// The formula in plain loops.
Tensor weights_by_loops(const Inputs& in) {
  const auto project = [](const Tensor& x, const Tensor& w, Size b, Size i, Size h) {
    double sum = 0;
    for (Size d = 0; d < w.shape()[0]; ++d) sum += x.at({b, i, d}) * w.at({d, h});
    return sum;
  };
  const Size B = in.query.shape()[0], Tq = in.query.shape()[1], Tk = in.key.shape()[1];
  std::vector<double> weights;
  for (Size b = 0; b < B; ++b) {
    for (Size i = 0; i < Tq; ++i) {
      std::vector<double> row;
      double total = 0;
      for (Size j = 0; j < Tk; ++j) {
        double score = 0;
        for (Size h = 0; h < in.v.size(); ++h) {
          const double q = project(in.query.value(), in.W_q.value(), b, i, h);
          score += in.v.value().at({h}) * std::tanh(q + project(in.key.value(), in.W_k.value(), b, j, h));
        }
        row.push_back(std::exp(score));
        total += row.back();
      }
      for (double e : row) weights.push_back(e / total);
    }
  }
  return Tensor::from(weights, {B, Tq, Tk}, DType::float64);
}

std::string without_last_break(std::string text) {
  text.pop_back();
  return text;
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

Var every_pair(const Inputs& in) {
  return unsqueeze(matmul(in.query, in.W_q), 2) + unsqueeze(matmul(in.key, in.W_k), 1);
}

struct Suspect {
  std::function<Var(const Inputs&)> weights;
  std::string bug;
};

std::vector<Suspect> suspects() {
  return {
      {[](const Inputs& in) { return matmul(tanh(every_pair(in)), in.v); },
       "the weights are the scores themselves: softmax is missing."},
      {[](const Inputs& in) { return softmax(matmul(every_pair(in), in.v)); },
       "tanh is missing. Without it W_q q adds the same to all scores of a row, and softmax does not see the "
       "difference."},
      {[](Inputs in) {
         in.query = in.query * 0.0;
         return softmax(matmul(tanh(every_pair(in)), in.v));
       },
       "queries have no part in the scores, so every query looks at the same keys."},
      {[](const Inputs& in) { return transpose(softmax(matmul(tanh(every_pair(in)), in.v), 1)); },
       "the scores are transposed, [B, Tk, Tq]: the new axis of the queries belongs behind theirs, [B, Tq, 1, hidden], "
       "that of the keys in front, [B, 1, Tk, hidden]."},
      {[](const Inputs& in) {
         const Var q = unsqueeze(matmul(in.query, in.W_k), 2), k = unsqueeze(matmul(in.key, in.W_q), 1);
         return softmax(matmul(tanh(q + k), in.v));
       },
       "W_q belongs to the queries and W_k to the keys; they have been exchanged."},
      {[](const Inputs& in) { return softmax(sum(tanh(every_pair(in) * in.v), {-1})); },
       "v is multiplied before tanh; it weighs what comes out of tanh."},
      {[](const Inputs& in) { return softmax(matmul(tanh(every_pair(in)), in.v) / std::sqrt(3.0)); },
       "the scores are divided by √hidden. Dot products need that (chapter 04); additive scores have v to learn it."},
  };
}

// What most likely made the answer wrong, from what it gives where all sizes are 3, so that no shape stops it.
std::string likely_bug(const ScoresAnswer& answer) {
  const Inputs in = random_inputs(equal_sizes);
  const auto look = [&](const Attended& given) -> std::string {
    const Tensor weights = given.weights.value();
    if (weights.rank() != 3) return "q and k were added without new axes: query i met key i, and no other.";
    if (!sums_to_one(weights, 2) && sums_to_one(weights, 1)) {
      return "every COLUMN of the weights sums to 1: softmax ran over axis 1, the queries, and not over the keys.";
    }
    if (!sums_to_one(weights, 2) && sums_to_one(weights, 0)) return "softmax ran over axis 0, the batch.";
    for (const Suspect& suspect : suspects()) {
      if (close(weights, suspect.weights(in).value())) return suspect.bug;
    }
    if (close(given.context.value(), matmul(given.weights, in.key).value())) {
      return "the keys were summed. They decide where to look; the values are what is seen.";
    }
    return "";
  };
  return likely_bug_of([&] { return answer.attention(in); }, look);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shape(const ScoresAnswer& answer, Steps& steps) {
  const Inputs in = random_inputs(different);
  const Shape weights{different.B, different.Tq, different.Tk}, context{different.B, different.Tq, different.Dv};
  const std::string expected = "weights " + text(weights) + ", context " + text(context);
  expect_shapes(
      steps, "query " + text(in.query.shape()) + ", key " + text(in.key.shape()) + ", value " + text(in.value.shape()),
      expected, [&] { return shape_of(answer.attention(in)); }, [&] { return likely_bug(answer); });
}

// A row for each query: expected and given weights.
std::string beside(const Tensor& expected, const Tensor& given) {
  lesson::Table table({"query", "key 0", "key 1", "key 2", "sum", " "});
  for (Size i = 0; i < expected.shape()[1]; ++i) {
    for (const bool ours : {true, false}) {
      const Tensor& x = ours ? expected : given;
      std::vector<std::string> cells = {"q" + std::to_string(i)};
      double sum = 0;
      for (Size j = 0; j < 3; ++j) {
        cells.push_back(fixed(x.at({0, i, j}), 4));
        sum += x.at({0, i, j});
      }
      cells.push_back(fixed(sum, 4));
      cells.push_back(ours ? "expected" : "yours");
      table.row(cells);
    }
  }
  return without_last_break(table.render(lesson::standard_screen()));
}

void check_numbers(const ScoresAnswer& answer, Steps& steps) {
  const Inputs small = on_paper();
  const Attended given = answer.attention(small);
  const Tensor expected = weights_by_loops(small);
  if (!close(given.weights.value(), expected)) {
    throw Mistake("The weights of the page's example, q = (0, 1), k = (0, 1, 2), all else 1:\n" +
                      beside(expected, given.weights.value()),
                  likely_bug(answer));
  }
  const Tensor sums = matmul(Var(expected), small.value).value();
  if (!close(given.context.value(), sums)) {
    throw Mistake("The weights are right. Of the values 10, 20 and 30 the contexts are " +
                      fixed(sums.at({0, 0, 0}), 4) + " and " + fixed(sums.at({0, 1, 0}), 4) + "; yours are " +
                      fixed(given.context.value().at({0, 0, 0}), 4) + " and " +
                      fixed(given.context.value().at({0, 1, 0}), 4) + ".",
                  likely_bug(answer));
  }
  steps.passed("the example on paper: 22.8145 and 20.7541");

  const Inputs large = random_inputs(different);
  const Tensor found = answer.attention(large).weights.value(), loops = weights_by_loops(large);
  if (!close(found, loops)) {
    throw Mistake(
        "The example on paper comes out right, where W_q, W_k and v are all 1. With random ones the first weight "
        "is " +
            fixed(found.at({0, 0, 0}), 4) + ", expected " + fixed(loops.at({0, 0, 0}), 4) + ".",
        likely_bug(answer));
  }
  steps.passed("random numbers, against the formula in plain loops");
}

void check_properties(const ScoresAnswer& answer, Steps& steps) {
  Inputs in = random_inputs(different);
  const Attended given = answer.attention(in);
  if (!sums_to_one(given.weights.value(), 2)) {
    throw Mistake("The weights of a query do not sum to 1.", likely_bug(answer));
  }
  Inputs turned = in;
  turned.key = flip(in.key, {1});
  turned.value = flip(in.value, {1});
  if (!close(answer.attention(turned).context.value(), given.context.value())) {
    throw Mistake("The same keys and values in another order give another context.",
                  "a place in the text has a part in the scores; only what stands there may have one.");
  }
  in.W_q = in.W_q * 0.0;
  const Var rows = answer.attention(in).weights;
  if (!close(slice(rows, 1, 0, 2).value(), slice(rows, 1, 1, 2).value())) {
    throw Mistake("With W_q = 0 the queries still look at different keys.",
                  "the queries enter the scores in another way than through W_q.");
  }
  steps.passed("properties: rows sum to 1; order of the keys; W_q = 0");
}

void check_differences(const ScoresAnswer& answer, Steps& steps) {
  if (!answer.attention(random_inputs(different)).weights.needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches W_q, W_k and v: the weights have no history.",
                  likely_bug(answer));
  }
  const Inputs in = random_inputs({2, 2, 3, 2, 2, 2, 3});
  const auto f = [&](const Vars& x) { return answer.attention({x[0], x[1], x[2], x[3], x[4], x[5]}).context; };
  expect_gradients(steps, "additive attention", f,
                   {in.query.value(), in.key.value(), in.value.value(), in.W_q.value(), in.W_k.value(), in.v.value()},
                   [&] { return likely_bug(answer); });
}

void check_learning(const ScoresAnswer& answer, Steps& steps) {
  const auto attention = [&](const AdditiveAttention& layer, const Lookup& in) {
    return answer.attention(
        {in.query, in.key, in.value, layer.query_projection.weight, layer.key_projection.weight, layer.v});
  };
  const Learned learned = learn_lookup(attention, Padding::none);
  const std::string result = lesson::percent(learned.right, 0) + " of new lookups right after training";
  if (learned.right < 0.95) {
    throw Mistake(result + ", expected at least 95 %.", "none of the usual ones: everything before was right.");
  }
  steps.passed(result + "\n\n" + without_last_break(lesson::render(learned.looked, lesson::standard_screen())));
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/03_additive_attention/exercise_1_scores.cpp", scores_answers(),
                       {check_shape, check_numbers, check_properties, check_differences, check_learning});
}
