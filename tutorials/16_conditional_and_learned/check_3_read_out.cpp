// The check of exercise 3: shapes, tiny numbers, properties, gradients.
#include <cmath>

#include "autograd/gradcheck.hpp"
#include "tensor/kernels.hpp"
#include "tensor/random.hpp"
#include "tutorials/16_conditional_and_learned/exercise_3_read_out.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"

using namespace attend;
using namespace attend::chapter16;
using namespace attend::lesson;

namespace {

constexpr Size n = 3, m = 5, d = 4, C = 3;
constexpr double sharpness = 2;

// Some lengths far from 1, two examples of class 0 and three of class 2, none of class 1.
struct Inputs {
  Tensor queries, examples, labels;
};

Inputs inputs() {
  Rng rng(3);
  return {rng.normal({n, d}, 0, 2, DType::float64), rng.normal({m, d}, 0, 0.5, DType::float64),
          Tensor::from_ints({2, 0, 2, 2, 0}, {m})};
}

using Similarity = double (*)(double dot, double query, double example);

double cosine(double dot, double query, double example) { return dot / (query * example); }
double dot_product(double dot, double, double) { return dot; }
double query_unit(double dot, double query, double) { return dot / query; }
double example_unit(double dot, double, double example) { return dot / example; }

// Similarities as plain loops: [n, m].
Tensor similarities(const Inputs& in, Similarity similarity) {
  std::vector<double> all;
  for (Size i = 0; i < n; ++i) {
    for (Size j = 0; j < m; ++j) {
      double dot = 0, query = 0, example = 0;
      for (Size c = 0; c < d; ++c) {
        const double a = in.queries.at({i, c}), b = in.examples.at({j, c});
        dot += a * b, query += a * a, example += b * b;
      }
      all.push_back(similarity(dot, std::sqrt(query), std::sqrt(example)));
    }
  }
  return Tensor::from(all, {n, m}, DType::float64);
}

// The sums of the columns of each class: [n, m] -> [n, C].
Tensor by_class(const Tensor& columns, const Inputs& in) {
  return kernel::matmul(columns, one_hot(in.labels, C, DType::float64));
}

Tensor weights(const Inputs& in, Similarity similarity, double sharp = sharpness, Size axis = 1) {
  return softmax(Var(kernel::affine(similarities(in, similarity), sharp, 0)), axis).value();
}

Tensor right(const Inputs& in) { return by_class(weights(in, cosine), in); }

Var run(const ReadOutAnswer& answer) {
  const Inputs in = inputs();
  return answer.classify(Var::parameter(in.queries), Var::parameter(in.examples), in.labels, C, sharpness);
}

std::string bug_of(const Var& given) {
  const Inputs in = inputs();
  const auto is = [&](const Tensor& wrong) { return given.shape() == wrong.shape() && close(given.value(), wrong); };
  if (is(weights(in, cosine))) return "these are the weights of the examples. What is read there are their labels.";
  if (is(by_class(weights(in, dot_product), in))) {
    return "neither queries nor examples were brought to length 1: dot products, no cosines.";
  }
  if (is(by_class(weights(in, query_unit), in))) return "only the queries have length 1: divide the examples too.";
  if (is(by_class(weights(in, example_unit), in))) return "only the examples have length 1: divide the queries too.";
  if (is(by_class(weights(in, cosine, 1), in))) return "the sharpness was forgotten.";
  if (is(by_class(weights(in, cosine, sharpness, 0), in))) {
    return "the softmax ran over the queries: what each EXAMPLE gives sums to 1. Axis 1 holds the examples.";
  }
  const Tensor sums = by_class(kernel::affine(similarities(in, cosine), sharpness, 0), in);
  if (is(softmax(Var(sums), 1).value())) {
    return "the softmax came last, over sums of cosines: a class without an example gets a share. First the weights, "
           "then their sums.";
  }
  return "";
}

std::string likely_bug(const ReadOutAnswer& answer) {
  return likely_bug_of([&] { return run(answer); }, bug_of);
}

void check_shapes(const ReadOutAnswer& answer, Steps& steps) {
  expect_shapes(
      steps, "queries [3, 4], examples [5, 4], labels [5], 3 classes", text(Shape{n, C}),
      [&] { return shape_of(run(answer)); }, [&] { return likely_bug(answer); });
}

void check_numbers(const ReadOutAnswer& answer, Steps& steps) {
  const Tensor given = run(answer).value(), wanted = right(inputs());
  if (!close(given, wanted)) {
    throw Mistake("expected: " + listed(wanted) + "\nyours:    " + listed(given), likely_bug(answer));
  }
  steps.passed("numbers of three queries and five examples");
}

void check_properties(const ReadOutAnswer& answer, Steps& steps) {
  const Inputs in = inputs();
  const auto p = [&](double length, double sharp) {
    return answer.classify(Var(in.queries), Var(kernel::affine(in.examples, length, 0)), in.labels, C, sharp).value();
  };
  if (!sums_to_one(p(1, sharpness), 1)) throw Mistake("the probabilities do not add up to 1.", likely_bug(answer));
  if (!close(p(1, sharpness), p(100, sharpness))) {
    throw Mistake("examples 100 times as long give other probabilities.", likely_bug(answer));
  }
  const Tensor nearest = kernel::take(in.labels, 0, kernel::argmax(similarities(in, cosine), 1, false));
  if (!close(p(1, 1e4), one_hot(nearest, C, DType::float64))) {
    throw Mistake("with a sharpness of 10,000 it is not the label of the nearest.", likely_bug(answer));
  }
  steps.passed("properties: sums of 1, no lengths, the nearest when it is sharp");
}

void check_gradients(const ReadOutAnswer& answer, Steps& steps) {
  const Inputs in = inputs();
  if (!has_history(run(answer))) throw Mistake("no derivative reaches the queries.", likely_bug(answer));
  expect_gradients(
      steps, "read-out", [&](const Vars& x) { return answer.classify(x[0], x[1], in.labels, C, sharpness); },
      {in.queries, in.examples}, [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/16_conditional_and_learned/exercise_3_read_out.cpp", read_out_answers(),
                       {check_shapes, check_numbers, check_properties, check_gradients});
}
