#include "tutorials/13_low_rank_and_kernels/features.hpp"

#include <cmath>

#include "nn/attention/linear_attention.hpp"
#include "tensor/kernels.hpp"

namespace attend::chapter13 {
namespace {

// Blocks of d directions, each as long as a normal vector is.
Tensor raw_qr_directions(Size m, Size d, Rng& rng) {
  std::vector<Tensor> blocks;
  for (Size drawn = 0; drawn < m; drawn += d) {
    const Tensor unit = transpose(kernel::qr(rng.normal({d, d}, 0, 1, DType::float64)).first);
    const Tensor normal = rng.normal({d, d}, 0, 1, DType::float64);
    const Tensor lengths = kernel::sqrt(kernel::sum(kernel::mul(normal, normal), {1}, true));  // [d, 1]
    blocks.push_back(slice(kernel::mul(unit, lengths), 0, 0, std::min(d, m - drawn)));
  }
  return kernel::concat(blocks, 0);
}

double square(const Var& x) { return sum(x * x).item(); }

// The mean square error of m independent directions, as a share of the square of exp(x · y).
double theory(const Tensor& x, const Tensor& y, Size m, SoftmaxFeatures kind) {
  const double plus = square(Var(x) + Var(y)), minus = square(Var(x) - Var(y));
  const double one = 1 / static_cast<double>(m), scores = sum(Var(x) * Var(y)).item();
  const double positive = one * std::exp(plus) * (1 - std::exp(-plus));
  if (kind == SoftmaxFeatures::positive) return positive;
  if (kind == SoftmaxFeatures::hyperbolic) return 0.5 * (1 - std::exp(-plus)) * positive;
  return 0.5 * one * std::exp(plus - 4 * scores) * std::pow(1 - std::exp(-minus), 2);
}

}  // namespace

Estimate estimate(const Tensor& x, const Tensor& y, Size m, SoftmaxFeatures kind, Size draws, std::uint64_t seed,
                  Directions how) {
  Rng rng(seed);
  const Size d = x.shape()[0];
  const double count = static_cast<double>(draws), truth = std::exp(sum(Var(x) * Var(y)).item());
  double total = 0, squares = 0, errors = 0;
  for (Size draw = 0; draw < draws; ++draw) {
    const Var w = how == Directions::raw_qr ? raw_qr_directions(m, d, rng) : orthogonal_directions(m, d, rng);
    const double share = sum(softmax_features(x, w, kind) * softmax_features(y, w, kind)).item() / truth;
    total += share;
    squares += share * share;
    errors += (share - 1) * (share - 1);
  }
  const double mean = total / count;
  return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean) / count), std::sqrt(errors / count),
          std::sqrt(theory(x, y, m, kind))};
}

Tensor along_diagonal(Size d, double length) {
  return Tensor::full({d}, length / std::sqrt(static_cast<double>(d)), DType::float64);
}

Var lowered_key_by_key(const Performer& layer, const Var& q, const Var& k, const Var& v) {
  const Var fk = layer.features(k);
  return sums_of_all(layer.features(q), fk / max(fk, {3}, true), v);
}

Var with_zeroed_keys(const Var& q, const Var& k, const Var& v, const Mask& mask) {
  return sums_of_all(elu_features(q), elu_features(hide_invisible(k, mask)), hide_invisible(v, mask));
}

}  // namespace attend::chapter13
