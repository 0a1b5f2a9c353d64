// The check of exercise 1: shape, tiny numbers, properties, differences.
#include <cmath>
#include <functional>

#include "tensor/random.hpp"
#include "tutorials/04_dot_products_and_scale/exercise_1_scaled.hpp"
#include "tutorials/04_dot_products_and_scale/measure.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter04;
using namespace attend::lesson;

namespace {

struct AllSizes {
  Size B, Tq, Tk, d, Dv;
};
constexpr AllSizes different{2, 3, 4, 5, 6}, equal_sizes{3, 3, 3, 3, 3};

ScaledInputs random_inputs(const AllSizes& n) {
  Rng rng(1);
  const auto draw = [&](const Shape& shape) { return Var::parameter(rng.normal(shape, 0, 1, DType::float64)); };
  ScaledInputs in;
  in.query = draw({n.B, n.Tq, n.d});
  in.key = draw({n.B, n.Tk, n.d});
  in.value = draw({n.B, n.Tk, n.Dv});
  return in;
}

// The example that the page works out on paper.
ScaledInputs on_paper() {
  const auto constant = [](const std::vector<double>& values, const Shape& shape) {
    return Var(Tensor::from(values, shape, DType::float64));
  };
  return {constant({1, 1, 1, 1}, {1, 1, 4}), constant({1, 1, 1, 1, 1, 1, 1, -1, 1, 1, -1, -1}, {1, 3, 4}),
          constant({10, 20, 30}, {1, 3, 1})};
}

// The formula in plain loops.
Tensor weights_by_loops(const ScaledInputs& in) {
  const auto [B, Tq, d] = dims<3>(in.query);
  const Size Tk = in.key.shape()[1];
  std::vector<double> weights;
  for (Size b = 0; b < B; ++b) {
    for (Size i = 0; i < Tq; ++i) {
      std::vector<double> row;
      double total = 0;
      for (Size j = 0; j < Tk; ++j) {
        double product = 0;
        for (Size c = 0; c < d; ++c) product += in.query.value().at({b, i, c}) * in.key.value().at({b, j, c});
        row.push_back(std::exp(product / std::sqrt(static_cast<double>(d))));
        total += row.back();
      }
      for (double e : row) weights.push_back(e / total);
    }
  }
  return Tensor::from(weights, {B, Tq, Tk}, DType::float64);
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

double root(Size n) { return std::sqrt(static_cast<double>(n)); }
Var products(const ScaledInputs& in) { return matmul(in.query, transpose(in.key)); }

struct Suspect {
  std::function<Var(const ScaledInputs&)> weights;
  std::string bug;
};

std::vector<Suspect> suspects() {
  const auto d = [](const ScaledInputs& in) { return in.query.shape().back(); };
  return {
      {[](const ScaledInputs& in) { return softmax(products(in)); },
       "the scale is missing: products of width d have the variance d, and are to be divided by √d."},
      {[=](const ScaledInputs& in) { return softmax(products(in) / (root(d(in)) * root(d(in)))); },
       "the products are divided by d and not by its root. Their variance is then 1/d, and no query can choose."},
      {[](const ScaledInputs& in) { return softmax(products(in) / root(in.key.shape()[1])); },
       "the root is taken of the number of keys, Tk. What grows the products is the width of a query, d."},
      {[](const ScaledInputs& in) { return softmax(products(in) / root(in.value.shape().back())); },
       "the root is taken of the width of the values, Dv, which have no part in the products."},
      {[=](const ScaledInputs& in) { return softmax(products(in) * root(d(in))); },
       "the products are multiplied with √d; they are to be divided by it."},
      {[=](const ScaledInputs& in) { return softmax(products(in)) / root(d(in)); },
       "the weights were divided by √d, after softmax. Their rows no longer sum to 1, and softmax saw it all "
       "unscaled."},
      {[=](const ScaledInputs& in) { return softmax(products(in) / (root(d(in)) * root(d(in)) * root(d(in)))); },
       "divided more than once: by √d in all, be it the queries, the keys or the products."},
      {[=](const ScaledInputs& in) { return products(in) / root(d(in)); },
       "the weights are the scores themselves: softmax is missing."},
      {[=](const ScaledInputs& in) { return softmax(products(in) / root(d(in)), 1); },
       "every COLUMN of the weights sums to 1: softmax ran over axis 1, the queries, and not over the keys."},
      {[=](const ScaledInputs& in) { return softmax(products(in) / root(d(in)), 0); },
       "softmax ran over axis 0, the batch."},
      {[=](const ScaledInputs& in) {
         const auto [B, Tk, width] = dims<3>(in.key);
         return softmax(matmul(in.query, reshape(in.key, {B, width, Tk})) / root(width));
       },
       "reshape is no transpose: it keeps the numbers in their order, and each column is a mix of several keys."},
  };
}

// What only equal sizes allow; elsewhere a shape stops it.
std::vector<Suspect> suspects_of_equal_sizes() {
  return {
      {[](const ScaledInputs& in) { return softmax(matmul(in.query, in.key) / root(in.query.shape().back())); },
       "the keys are not transposed: [Tq, d] · [d, Tk] is wanted, so that each query meets each key."},
      {[](const ScaledInputs& in) {
         return softmax(matmul(in.key, transpose(in.query)) / root(in.query.shape().back()));
       },
       "queries and keys have changed places: a row of the weights belongs to a query, [B, Tq, Tk]."},
  };
}

// Whether the answer gives these weights for inputs of these sizes. What the sizes do not allow is no match.
bool matches(const ScaledAnswer& answer, const Suspect& suspect, const AllSizes& sizes) {
  const ScaledInputs in = random_inputs(sizes);
  try {
    return close(answer.attention(in).weights.value(), suspect.weights(in).value());
  } catch (const std::exception&) {
    return false;
  }
}

std::string likely_bug(const ScaledAnswer& answer) {
  const ScaledInputs in = random_inputs(equal_sizes);
  const auto look = [&](const Attended& given) -> std::string {
    for (const Suspect& suspect : suspects()) {
      if (matches(answer, suspect, different)) return suspect.bug;
    }
    for (const Suspect& suspect : suspects_of_equal_sizes()) {
      if (matches(answer, suspect, equal_sizes)) return suspect.bug;
    }
    if (close(given.context.value(), matmul(given.weights, in.key).value())) {
      return "the keys were summed. They decide where to look; the values are what is seen.";
    }
    return "";
  };
  return likely_bug_of([&] { return answer.attention(in); }, look);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shape(const ScaledAnswer& answer, Steps& steps) {
  const ScaledInputs in = random_inputs(different);
  const Shape weights{different.B, different.Tq, different.Tk}, context{different.B, different.Tq, different.Dv};
  const std::string expected = "weights " + text(weights) + ", context " + text(context);
  expect_shapes(
      steps, "query " + text(in.query.shape()) + ", key " + text(in.key.shape()) + ", value " + text(in.value.shape()),
      expected, [&] { return shape_of(answer.attention(in)); }, [&] { return likely_bug(answer); });
}

void check_numbers(const ScaledAnswer& answer, Steps& steps) {
  const ScaledInputs small = on_paper();
  const Attended given = answer.attention(small);
  const Tensor expected = weights_by_loops(small), context = matmul(Var(expected), small.value).value();
  if (!close(given.weights.value(), expected)) {
    throw Mistake("The weights of the page's example, with the products 4, 2, 0 and d = 4:\nexpected: " +
                      listed(expected) + "\nyours:    " + listed(given.weights.value()),
                  likely_bug(answer));
  }
  if (!close(given.context.value(), context)) {
    throw Mistake("The weights of the page's example are right. The context of the values 10, 20, 30 is " +
                      listed(context) + "; yours is " + listed(given.context.value()) + ".",
                  likely_bug(answer));
  }
  steps.passed("the example on paper: " + listed(context));

  const ScaledInputs large = random_inputs(different);
  const Tensor found = answer.attention(large).weights.value(), loops = weights_by_loops(large);
  if (!close(found, loops)) {
    throw Mistake("The example on paper comes out right. With random numbers and d = 5 the first weight is " +
                      fixed(found.at({0, 0, 0}), 4) + ", expected " + fixed(loops.at({0, 0, 0}), 4) + ".",
                  likely_bug(answer));
  }
  steps.passed("random numbers, against the formula in plain loops");
}

void check_properties(const ScaledAnswer& answer, Steps& steps) {
  const ScaledInputs in = random_inputs(different);
  const Attended given = answer.attention(in);
  if (!sums_to_one(given.weights.value(), 2)) {
    throw Mistake("The weights of a query do not sum to 1.", likely_bug(answer));
  }
  const ScaledInputs turned{in.query, flip(in.key, {1}), flip(in.value, {1})};
  if (!close(answer.attention(turned).context.value(), given.context.value())) {
    throw Mistake("The same keys and values in another order give another context.",
                  "a place has a part in the scores; only what stands there may have one.");
  }
  // The chapter's claim, on the answer: as soft at d = 1024 as at d = 16.
  double entropies[2];
  for (int wide : {0, 1}) {
    Rng rng(2);
    const Drawn drawn = draw(wide ? 1024 : 16, 4, Centre::zero, rng);
    const Var p = answer.attention({drawn.query, drawn.key, drawn.value}).weights;
    entropies[wide] = -mean(sum(p * log(p), {-1})).item();
  }
  if (!(std::fabs(entropies[0] - entropies[1]) < 0.2)) {
    throw Mistake("64 keys: the entropy of the weights is " + fixed(entropies[0], 2) + " at d = 16 and " +
                      fixed(entropies[1], 2) + " at d = 1024.",
                  "the scale does not follow the width of the query: is a number written down that holds for one d?");
  }
  steps.passed("properties: rows sum to 1; order of the keys; as soft at d = 1024 as at d = 16");
}

void check_differences(const ScaledAnswer& answer, Steps& steps) {
  if (!answer.attention(random_inputs(different)).weights.needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches queries and keys: the weights have no history.",
                  likely_bug(answer));
  }
  const ScaledInputs in = random_inputs(different);
  expect_gradients(
      steps, "scaled dot-product attention",
      [&](const Vars& x) {
        return answer.attention({x[0], x[1], x[2]}).context;
      },
      {in.query.value(), in.key.value(), in.value.value()}, [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/04_dot_products_and_scale/exercise_1_scaled.cpp", scaled_answers(),
                       {check_shape, check_numbers, check_properties, check_differences});
}
