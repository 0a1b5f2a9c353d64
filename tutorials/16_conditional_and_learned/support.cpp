#include "tutorials/16_conditional_and_learned/support.hpp"

#include <algorithm>
#include <cmath>

#include "autograd/grad.hpp"
#include "nn/attention/entmax.hpp"

namespace attend::chapter16 {
namespace {

// One query 1 beside keys that are the scores themselves. (A core has as many queries as keys: all are 1.)
struct Row {
  Var q, k, v;

  explicit Row(const std::vector<double>& scores) {
    const Size T = static_cast<Size>(scores.size());
    std::vector<double> values;
    for (Size j = 1; j <= T; ++j) values.push_back(static_cast<double>(j));
    q = Tensor::ones({1, 1, T, 1}, DType::float64);
    k = Var::parameter(Tensor::from(scores, {1, 1, T, 1}, DType::float64));
    v = Var::parameter(Tensor::from(values, {1, 1, T, 1}, DType::float64));
  }
};

std::vector<double> first_row(const Var& x) { return reshape(select(x, 2, 0), {-1}).value().to_vector(); }

}  // namespace

std::vector<Normaliser> normalisers(Size k) {
  return {{"softmax", SoftmaxAttention()},
          {"entmax 1.5", EntmaxAttention(1.5)},
          {"sparsemax", SparsemaxAttention()},
          {"top-" + std::to_string(k), TopKAttention(k)}};
}

std::vector<double> weights_of(const AttentionCore& core, const std::vector<double>& scores) {
  const Row row(scores);
  return first_row(core(row.q, row.k, row.v).weights);
}

Size support(const std::vector<double>& weights) {
  return std::count_if(weights.begin(), weights.end(), [](double weight) { return weight > 0; });
}

std::vector<double> row_with_gap(Size keys, Size relevant, double gap) {
  std::vector<double> scores(static_cast<std::size_t>(keys), 0.0);
  std::fill_n(scores.begin(), relevant, gap);
  return scores;
}

double derivative_outside(const AttentionCore& core, const std::vector<double>& scores) {
  const Row row(scores);
  const Attended found = core(row.q, row.k, row.v);
  const Vars gradients = grad(sum(select(found.context, 2, 0)), {row.k, row.v});
  const std::vector<double> weights = first_row(found.weights), of_scores = gradients[0].value().to_vector(),
                            of_values = gradients[1].value().to_vector();
  double largest = -1;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (weights[j] == 0) largest = std::max({largest, std::abs(of_scores[j]), std::abs(of_values[j])});
  }
  return largest;
}

}  // namespace attend::chapter16
