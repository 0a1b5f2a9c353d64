#include "nn/attention/feature_sums.hpp"

#include <algorithm>
#include <stdexcept>

#include "nn/attention/attended.hpp"

namespace attend {
namespace {

// [B, H, T, dv] -> [B, H, T, dv + 1]: a value of 1 beside each, whose weighted sum is the normaliser.
Var with_ones(const Var& v) {
  Shape one = v.shape();
  one.back() = 1;
  return concat({v, Var(Tensor::ones(one, v.dtype()))}, 3);
}

// [B, H, T, dv + 1] -> [B, H, T, dv]: the sums divided by their normaliser, which stands last. Where it is 0 there is
// nothing to see, and the sums are 0 too.
Var normalized(const Var& sums) {
  const Size dv = sums.shape()[3] - 1;
  return divided_by_total(slice(sums, 3, 0, dv), slice(sums, 3, dv, 1));
}

// Weights [B, H, T, T] · values, of which a causal sum sees those up to its own position. As in softmax attention a
// later value has no part in it, NaN included.
Var pair_sums(const Var& fq, const Var& fk, const Var& values, bool causal) {
  const Var weights = matmul(fq, transpose(fk));  // [B, H, T, T]
  if (!causal) return matmul(weights, values);
  const Mask mask = causal_mask(fq.shape()[2], fk.shape()[2]);
  const Var allowed = where(mask.for_scores(weights.shape()), weights, Tensor::zeros({}, weights.dtype()));
  return weighted_sum(allowed, values, mask);
}

// Running sums along an axis of what stands before each element: the first is 0. Taking an element off the running sum
// that includes it would lose the digits of a small sum before a large element.
Var sums_before(const Var& x, Size axis) { return slice(pad(cumsum(x, axis), axis, 1, 0), axis, 0, x.shape()[axis]); }

}  // namespace

Var sums_by_pairs(const Var& fq, const Var& fk, const Var& v, bool causal) {
  return normalized(pair_sums(fq, fk, with_ones(v), causal));
}

Var sums_of_all(const Var& fq, const Var& fk, const Var& v) {
  return normalized(matmul(fq, matmul(transpose(fk), with_ones(v))));
}

Var sums_cumulative(const Var& fq, const Var& fk, const Var& v) {
  const Var products = unsqueeze(fk, 4) * unsqueeze(with_ones(v), 3);            // [B, H, T, m, dv + 1]
  const Var sums = squeeze(matmul(unsqueeze(fq, 3), cumsum(products, 2)), {3});  // [B, H, T, dv + 1]
  return normalized(sums);
}

Var sums_by_chunks(const Var& fq, const Var& fk, const Var& v, Size chunk) {
  if (chunk < 1) throw std::invalid_argument("sums by chunks: chunks of " + std::to_string(chunk) + " positions");
  const auto [B, H, T, m] = dims<4>(fq);
  const Size length = std::max<Size>(1, std::min(chunk, T)), count = (T + length - 1) / length;
  // The positions that fill up the last chunk have no features, and so no weight. Chunks stand beside the heads.
  const auto in_chunks = [&, B = B, H = H, T = T](const Var& x) {
    return reshape(pad(x, 2, 0, count * length - T), {B, H * count, length, x.shape()[3]});
  };
  const Var q = in_chunks(fq), k = in_chunks(fk), values = in_chunks(with_ones(v));
  const Size width = values.shape()[3];
  const Var of_chunks = reshape(matmul(transpose(k), values), {B, H, count, m, width});
  const Var before = reshape(sums_before(of_chunks, 2), {B, H * count, m, width});
  const Var sums = matmul(q, before) + pair_sums(q, k, values, true);  // [B, H · count, length, dv + 1]
  return slice(reshape(normalized(sums), {B, H, count * length, width - 1}), 2, 0, T);
}

Var sums_step(const char* op, const Var& fq, const Var& fk, const Var& v, RunningSums& state) {
  const Var values = with_ones(v);
  const Var added = matmul(transpose(fk), values);  // [B, H, m, dv + 1]
  const Var here = pair_sums(fq, fk, values, true);
  if (!state.sums.defined()) {
    state.sums = added;
    return normalized(here);
  }
  if (state.sums.shape() != added.shape()) {
    throw std::invalid_argument(std::string(op) + ": state " + text(state.sums.shape()) + " for positions that need " +
                                text(added.shape()) + ", which is [B, H, features, dv + 1]");
  }
  const Var context = normalized(matmul(fq, state.sums) + here);
  state.sums = state.sums + added;  // last, so that a step that throws leaves it alone
  return context;
}

Size sums_multiplications(Size T, Size m, Size dv) {
  return 2 * T * m * (dv + 1) + T * dv;  // two products, the division
}

}  // namespace attend
