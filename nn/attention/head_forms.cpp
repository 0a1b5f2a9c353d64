#include "nn/attention/head_forms.hpp"

#include <cmath>

namespace attend {
namespace {

Size head_size(Size size, Size heads) { return checked_head_size(size, heads, "shared-head attention"); }

// The part of a mask that concerns head h of scores [B, H, Tq, Tk].
Mask mask_of_head(const Mask& mask, Size h) {
  if (mask.allows_all() || mask.allowed().shape()[1] == 1) return mask;
  return Mask(slice(mask.allowed(), 1, h, 1));
}

// Q, K, V [B, T, heads, d] -> the heads side by side [B, T, heads · d], weights [B, heads, T, T].
Attended heads_by_einsum(const Var& Q, const Var& K, const Var& V, const Mask& mask) {
  const auto [B, T, heads, d] = dims<4>(Q);
  const Var scores = einsum("bqhd,bkhd->bhqk", {Q, K}) / std::sqrt(static_cast<double>(d));
  const Var weights = attention_weights(scores, mask);  // [B, heads, T, T]
  // In a sum of products the weight 0 does not hide a NaN; weighted_sum does.
  const Var context = mask.allows_all() ? einsum("bhql,blhd->bqhd", {weights, V})
                                        : permute(weighted_sum(weights, permute(V, {0, 2, 1, 3}), mask), {0, 2, 1, 3});
  return {reshape(context, {B, T, heads * d}), weights};
}

}  // namespace

Attended attend_in_a_loop(const MultiHeadAttention& layer, const Var& x, const Mask& mask) {
  const Var there = hide_invisible(x, mask);
  const Var Q = layer.query_heads(there), K = layer.key_heads(there), V = layer.value_heads(there);
  mask.for_scores({Q.shape()[0], layer.heads, Q.shape()[2], K.shape()[2]});  // throws when it does not fit
  Vars contexts, weights;
  for (Size h = 0; h < layer.heads; ++h) {
    const Var q = select(Q, 1, h), k = select(K, 1, h), v = select(V, 1, h);  // [B, T, d]
    const Attended seen = scaled_dot_attention(q, k, v, {mask_of_head(mask, h)});
    contexts.push_back(seen.context);
    weights.push_back(seen.weights);
  }
  return {layer.output(concat(contexts, -1)), stack(weights, 1)};
}

Attended attend_by_einsum(const MultiHeadAttention& layer, const Var& x, const Mask& mask) {
  const Var there = hide_invisible(x, mask);
  const auto behind_positions = [](const Var& heads) { return permute(heads, {0, 2, 1, 3}); };  // [B, T, heads, d]
  const Attended seen =
      heads_by_einsum(behind_positions(layer.query_heads(there)), behind_positions(layer.key_heads(there)),
                      behind_positions(layer.value_heads(there)), mask);
  return {layer.output(seen.context), seen.weights};
}

SharedHeadAttention::SharedHeadAttention(Size size, Size number_of_heads, Rng& rng)
    : values(head_size(size, number_of_heads), head_size(size, number_of_heads), rng, false),
      keys(head_size(size, number_of_heads), head_size(size, number_of_heads), rng, false),
      queries(head_size(size, number_of_heads), head_size(size, number_of_heads), rng, false),
      output(size, size, rng),
      heads(number_of_heads) {}

Attended SharedHeadAttention::operator()(const Var& x, const Mask& mask) const {
  const auto [B, T, size] = dims<3>(x, "shared-head attention");
  const Var cut = reshape(hide_invisible(x, mask), {B, T, heads, head_size(size, heads)});
  const Attended seen = heads_by_einsum(queries(cut), keys(cut), values(cut), mask);
  return {output(seen.context), seen.weights};
}

void SharedHeadAttention::parameters(const Visit& visit) {
  visit("values", values);
  visit("keys", keys);
  visit("queries", queries);
  visit("output", output);
}

}  // namespace attend
