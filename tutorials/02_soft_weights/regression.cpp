#include "tutorials/02_soft_weights/regression.hpp"

#include <cmath>

namespace attend::chapter02 {
namespace {

double curve_at(double x) { return std::sin(2 * x) + x / 2; }

}  // namespace

Tensor kernel_regression(const Tensor& query, const Tensor& key, const Tensor& value, double width) {
  const Size n = query.shape()[0], m = key.shape()[0], d = key.shape()[1], dv = value.shape()[1];
  std::vector<double> estimates;
  for (Size i = 0; i < n; ++i) {
    std::vector<double> sums(static_cast<std::size_t>(dv));
    double total = 0;
    for (Size j = 0; j < m; ++j) {
      double squares = 0;
      for (Size c = 0; c < d; ++c) squares += std::pow(query.at({i, c}) - key.at({j, c}), 2);
      const double closeness = std::exp(-squares / (2 * width * width));
      total += closeness;
      for (Size c = 0; c < dv; ++c) sums[static_cast<std::size_t>(c)] += closeness * value.at({j, c});
    }
    for (double sum : sums) estimates.push_back(sum / total);
  }
  return Tensor::from(estimates, {n, dv}, DType::float64);
}

Attended distance_attention(const Var& query, const Var& key, const Var& value, double width) {
  const Var apart = unsqueeze(query, 1) - unsqueeze(key, 0);           // [n, m, d]
  const Var scores = sum(apart * apart, {-1}) / (-2 * width * width);  // [n, m]
  const Var weights = softmax(scores, -1);
  return {matmul(weights, value), weights};  // [n, dv]
}

Attended product_attention(const Var& query, const Var& key, const Var& value, double width) {
  const Var weights = softmax(matmul(query, transpose(key)) / (width * width), -1);
  return {matmul(weights, value), weights};
}

Seen draw_points(Rng& rng) {
  constexpr Size points = 60, places = 101;
  constexpr double noise = 0.3;
  std::vector<double> keys, values, queries, truths;
  for (Size j = 0; j < points; ++j) {
    keys.push_back(5 * rng.uniform());
    values.push_back(curve_at(keys.back()) + noise * rng.normal());
  }
  for (Size i = 0; i < places; ++i) {
    queries.push_back(0.05 * static_cast<double>(i));
    truths.push_back(curve_at(queries.back()));
  }
  const auto column = [](const std::vector<double>& x) {
    return Tensor::from(x, {static_cast<Size>(x.size()), 1}, DType::float64);
  };
  return {column(keys), column(values), column(queries), column(truths)};
}

double root_mean_square(const Tensor& a, const Tensor& b) {
  const Var apart = Var(a) - Var(b);
  return std::sqrt(mean(apart * apart).item());
}

}  // namespace attend::chapter02
