#include "tutorials/04_dot_products_and_scale/measure.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "autograd/grad.hpp"
#include "tensor/kernels.hpp"

namespace attend::chapter04 {
namespace {

constexpr Size queries = 16;

Tensor products(const Drawn& drawn) { return kernel::matmul(drawn.query, transpose(drawn.key)); }  // [sets, 16, 64]

// √Σ x² over the last axis, one for each query.
std::vector<double> lengths(const Var& x) { return norm(x, {-1}).value().to_vector(); }

}  // namespace

double factor(Factor which, Size d) {
  const auto width = static_cast<double>(d);
  return which == Factor::one ? 1 : which == Factor::root ? 1 / std::sqrt(width) : 1 / width;
}

Drawn draw(Size d, Size sets, Centre centre, Rng& rng) {
  const double middle = centre == Centre::one ? 1 : 0;
  const auto normal = [&](const Shape& shape, double mean) { return rng.normal(shape, mean, 1, DType::float64); };
  Drawn drawn;
  drawn.query = normal({sets, queries, d}, middle);
  drawn.key = normal({sets, keys, d}, middle);
  drawn.value = normal({sets, keys, value_size}, 0);
  drawn.direction = normal({sets, queries, value_size}, 0);
  return drawn;
}

double product_variance(const Drawn& drawn) { return variance(Var(products(drawn)), {0, 1, 2}).item(); }

Softness softness(const Drawn& drawn, double factor) {
  const Var scores = Var(products(drawn)) * factor;  // [sets, 16, 64]
  const Var p = softmax(scores), log_p = log_softmax(scores);
  return {-mean(sum(p * log_p, {-1})).item(), mean(sum(p * (1.0 - p), {-1})).item(), mean(max(p, {-1})).item()};
}

Gradients gradients(const Drawn& drawn, double factor) {
  const Var query = Var::parameter(drawn.query);
  const Var scores = matmul(query, transpose(Var(drawn.key))) * factor;
  const Var context = matmul(softmax(scores), drawn.value);
  const Vars found = grad(context, {scores, query}, drawn.direction);
  return {lengths(found[0]), lengths(found[1])};
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double share_below(const std::vector<double>& values, double bound) {
  const auto below = std::count_if(values.begin(), values.end(), [&](double x) { return x < bound; });
  return static_cast<double>(below) / static_cast<double>(values.size());
}

double trace_by_grad(const Tensor& scores) {
  const Var s = Var::parameter(scores);
  const Var p = softmax(s);
  double trace = 0;
  for (Size i = 0; i < p.size(); ++i) trace += grad(select(p, 0, i), {s})[0].value().at({i});
  return trace;
}

}  // namespace attend::chapter04
