#include "tutorials/14_hashing/rounds.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "nn/attention/shared_query_key.hpp"
#include "tensor/kernels.hpp"

namespace attend::chapter14 {
namespace {

Tensor above_zero(const Tensor& x) { return kernel::greater(x, Tensor::zeros({}, DType::float64)); }

// Which keys a query sees in each round: others that it meets, and itself where there are no others in any.
Tensor seen_in_rounds(const Tensor& met, const Tensor& allowed, bool sees_itself) {
  const Tensor place = Tensor::arange(allowed.shape().back());
  const Tensor itself = kernel::equal(unsqueeze(place, 1), unsqueeze(place, 0));  // [T, T]
  const Tensor pairs = kernel::logical_and(above_zero(met), allowed);             // [rounds, T, T]
  if (sees_itself) return pairs;
  const Tensor others = kernel::logical_and(pairs, kernel::logical_not(itself));
  const Tensor alone = kernel::logical_not(kernel::any(kernel::any(others, -1, true), 0, true));  // [1, T, 1]
  return kernel::logical_or(others, kernel::logical_and(alone, kernel::logical_and(pairs, itself)));
}

// ‖found − expected‖ / ‖expected‖
double relative_error(const Var& found, const Var& expected) {
  const auto length = [](const Var& x) { return norm(x, all_axes(x.rank())).item(); };
  return length(found - expected) / length(expected);
}

}  // namespace

Attended LshByDefinition::operator()(const Var& q, const Var&, const Var& v, const Mask& mask) const {
  const auto [B, H, T, d] = dims<4>(q);
  if (B * H != 1) throw std::invalid_argument("LSH by definition: one head of one sequence, not " + text(q.shape()));
  const Tensor met = met_in_rounds(reshape(q.value(), {T, d}), lsh);  // [rounds, T, T]
  const Tensor allowed = reshape(broadcast_to(mask.for_scores({1, 1, T, T}), {1, 1, T, T}), {T, T});
  const Tensor seen = seen_in_rounds(met, allowed, sees_itself);
  const Tensor times = kernel::sum(kernel::cast(seen, q.dtype()), {0}, true);  // N [1, T, T]
  const Var query = reshape(q, {T, d});
  Var scores = matmul(query, transpose(unit_length(query))) / std::sqrt(static_cast<double>(d));
  if (together == Together::once) scores = scores - kernel::log(kernel::maximum(times, Tensor::ones({}, q.dtype())));
  scores = where(seen, scores, Tensor::full({}, -std::numeric_limits<double>::infinity(), q.dtype()));

  const Var o = matmul(masked_softmax(scores, seen), reshape(v, {T, v.shape()[3]}));  // [rounds, T, dv]
  Var z = permute(logsumexp(scores, {-1}, true), {1, 2, 0});                          // [T, 1, rounds]
  const Tensor found = kernel::is_finite(z.value());
  if (together == Together::averaged) z = Tensor::zeros(z.shape(), z.dtype());
  const Var share = permute(masked_softmax(z, found), {2, 0, 1});  // [rounds, T, 1]
  return {reshape(sum(share * o, {0}), v.shape()), Var()};
}

Attended RedrawnLsh::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  return LshAttention(width, buckets, chunk, rounds, *rng)(q, k, v, mask);
}

Found found_of(Directions how, const Setting& setting, Size rounds, Together together, Size draws, Rng rng) {
  const auto [T, d, query_length, buckets, chunk] = setting;
  Found mean{0, 0, 0};
  for (Size draw = 0; draw < draws; ++draw) {
    const Var q = reshape(directed(how, T, d, query_length, rng), {1, 1, T, d});
    const Var v = rng.normal({1, 1, T, d}, 0, 1, DType::float64);
    const LshAttention lsh = cast(LshAttention(d, buckets, chunk, rounds, rng), DType::float64);
    const Attended full = SharedQueryKeyAttention()(q, q, v);
    const Tensor pairs = in_any(met_in_rounds(reshape(q.value(), {T, d}), lsh));
    const Var context = LshByDefinition{lsh, together}(q, q, v).context;
    const Tensor weight = kernel::mul(reshape(full.weights.value(), {T, T}), pairs);
    const auto part = [&](const Tensor& of, double all) {
      return kernel::sum(of, {0, 1}, false).item() / all / static_cast<double>(draws);
    };
    mean.pairs += part(pairs, static_cast<double>(T * T));
    mean.weight += part(weight, static_cast<double>(T));
    mean.error += relative_error(context, full.context) / static_cast<double>(draws);
  }
  return mean;
}

OnPaper on_paper() {
  const double degree = std::acos(-1.0) / 180, length = 2 * std::sqrt(2.0);
  std::vector<double> queries;
  for (const double angle : {40, 200, 100, 50, 290, 190}) {
    queries.push_back(length * std::cos(angle * degree));
    queries.push_back(length * std::sin(angle * degree));
  }
  Rng rng(1);
  LshAttention lsh(2, 4, 2, 2, rng, false);
  const double h = std::sqrt(0.5);
  lsh.rotations = Tensor::from({1, 0, 0, 1, h, -h, h, h}, {2, 2, 2}, DType::float64);
  return {Tensor::from(queries, {1, 1, 6, 2}, DType::float64),
          Tensor::from({10, 20, 30, 40, 50, 60}, {1, 1, 6, 1}, DType::float64), lsh};
}

}  // namespace attend::chapter14
