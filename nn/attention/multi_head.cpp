#include "nn/attention/multi_head.hpp"

#include <stdexcept>

namespace attend {
namespace {

Size checked_kv_heads(Size heads, Size kv_heads) {
  if (kv_heads == 0) return heads;
  if (kv_heads >= 1 && heads % kv_heads == 0) return kv_heads;
  throw std::invalid_argument("multi-head attention: " + std::to_string(kv_heads) + " key/value heads do not divide " +
                              std::to_string(heads) + " heads");
}

// The size. All that a constructor refuses is refused here, before the first number is drawn.
Size checked_size(Size size, Size heads, const MultiHeadOptions& options) {
  checked_head_size(size, heads);
  checked_kv_heads(heads, options.kv_heads);
  if (options.key_size >= 0 && options.value_size >= 0) return size;
  throw std::invalid_argument("multi-head attention: keys of size " + std::to_string(options.key_size) +
                              " and values of size " + std::to_string(options.value_size));
}

Size or_else(Size size, Size otherwise) { return size == 0 ? otherwise : size; }

// [B, kv_heads, T, d] -> [B, heads, T, d]: each head serves a group of neighbouring query heads.
Var repeated(const Var& x, Size heads) {
  const auto [B, G, T, d] = dims<4>(x);
  if (G == heads) return x;
  return reshape(broadcast_to(unsqueeze(x, 2), {B, G, heads / G, T, d}), {B, heads, T, d});
}

}  // namespace

Size checked_head_size(Size size, Size heads, const char* op) {
  if (heads >= 1 && size >= 1 && size % heads == 0) return size / heads;
  throw std::invalid_argument(std::string(op) + ": " + std::to_string(heads) + " heads do not divide the size " +
                              std::to_string(size));
}

Var split_heads(const Var& x, Size heads) {
  const auto [B, T, size] = dims<3>(x, "split_heads");
  return permute(reshape(x, {B, T, heads, checked_head_size(size, heads)}), {0, 2, 1, 3});
}

Var merge_heads(const Var& x) {
  const auto [B, heads, T, d] = dims<4>(x, "merge_heads");
  return reshape(permute(x, {0, 2, 1, 3}), {B, T, heads * d});
}

KeyValueCache KeyValueCache::taken(const Tensor& rows) const {
  if (!key.defined()) return {};
  if (rows.rank() != 1) throw std::invalid_argument("key-value cache: rows " + text(rows.shape()) + "; they are [n]");
  return {take(key, 0, rows), take(value, 0, rows)};
}

MultiHeadAttention::MultiHeadAttention(Size size, Size number_of_heads, Rng& rng, const MultiHeadOptions& options)
    : query_projection(checked_size(size, number_of_heads, options), size, rng, options.bias),
      key_projection(or_else(options.key_size, size),
                     size / number_of_heads * checked_kv_heads(number_of_heads, options.kv_heads), rng, options.bias),
      value_projection(or_else(options.value_size, size),
                       size / number_of_heads * checked_kv_heads(number_of_heads, options.kv_heads), rng, options.bias),
      output(size, size, rng, options.bias),
      heads(number_of_heads),
      kv_heads(checked_kv_heads(number_of_heads, options.kv_heads)),
      dropout(options.dropout),
      want_weights(options.want_weights) {}

Attended MultiHeadAttention::operator()(const Var& query, const Var& key, const Var& value, const Mask& mask, Rng* rng,
                                        const Var& bias) const {
  const Var q = query_heads(query);                        // [B, heads, Tq, d]
  const Var k = key_heads(hide_invisible(key, mask));      // [B, heads, Tk, d]
  const Var v = value_heads(hide_invisible(value, mask));  // [B, heads, Tk, d]
  return finish(scaled_dot_attention(q, k, v, {mask, bias, dropout, rng, want_weights}));
}

Attended MultiHeadAttention::step(const Var& x, KeyValueCache& cache) const {
  Var k = split_heads(key_projection(x), kv_heads), v = split_heads(value_projection(x), kv_heads);
  if (cache.key.defined()) {
    if (cache.key.shape()[0] != x.shape()[0]) {
      throw std::invalid_argument("multi-head attention: cache " + text(cache.key.shape()) + " for x " +
                                  text(x.shape()) + ": the batch sizes differ");
    }
    k = concat({cache.key, k}, 2);
    v = concat({cache.value, v}, 2);
  }
  const Mask causal = x.shape()[1] == 1 ? Mask() : causal_mask(x.shape()[1], k.shape()[2]);
  const Attended seen = finish(scaled_dot_attention(query_heads(x), repeated(k, heads), repeated(v, heads), {causal}));
  cache = {k, v};  // last, so that a step that throws leaves it alone
  return seen;
}

Var MultiHeadAttention::query_heads(const Var& query) const { return split_heads(query_projection(query), heads); }
Var MultiHeadAttention::key_heads(const Var& key) const {
  return repeated(split_heads(key_projection(key), kv_heads), heads);
}
Var MultiHeadAttention::value_heads(const Var& value) const {
  return repeated(split_heads(value_projection(value), kv_heads), heads);
}
Attended MultiHeadAttention::finish(const Attended& per_head) const {
  return {output(merge_heads(per_head.context)), per_head.weights};
}

void MultiHeadAttention::parameters(const Visit& visit) {
  visit("query_projection", query_projection);
  visit("key_projection", key_projection);
  visit("value_projection", value_projection);
  visit("output", output);
}

}  // namespace attend
