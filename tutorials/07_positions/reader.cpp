#include "tutorials/07_positions/reader.hpp"

#include <cmath>

#include "nn/position/rotary.hpp"

namespace attend::chapter07 {
namespace {

constexpr Size farthest = 128;                                                   // of T5's buckets
constexpr bool both_directions = false;                                          // no key stands ahead of its query
Tensor mirrored_distance(Size T) { return transpose(relative_distance(T, T)); }  // i − j

}  // namespace

PositionedAttention::PositionedAttention(const ReaderSize& size, Scheme which, Fault broken, Rng& rng)
    : scheme(which), fault(broken) {
  if (scheme == Scheme::relative) {
    relative.emplace(size.size, size.heads, size.most, rng);
  } else {
    heads.emplace(size.size, size.heads, rng);
  }
  if (scheme == Scheme::buckets) buckets.emplace(size.heads, rng, size.buckets, farthest, both_directions);
}

Attended PositionedAttention::operator()(const Var& x, const Mask& mask) const {
  if (relative) return (*relative)(x, mask);
  Var q = heads->query_heads(x), k = heads->key_heads(x), v = heads->value_heads(x);  // [B, heads, T, d]
  if (scheme == Scheme::rotary) {
    q = rotary(q);
    if (fault != Fault::rotary_queries_only) k = rotary(k);
    if (fault == Fault::rotary_values_too) v = rotary(v);
  }
  DotProductOptions options;
  options.mask = mask;
  options.bias = bias(x.shape()[1], x.dtype());
  return heads->finish(scaled_dot_attention(q, k, v, options));
}

// What is added to the scores, [1, heads, T, T], or nothing.
Var PositionedAttention::bias(Size T, DType dtype) const {
  if (scheme == Scheme::alibi) return alibi_bias(heads->heads, T, T, dtype);
  if (scheme != Scheme::buckets) return {};
  if (fault != Fault::mirrored_distance) return (*buckets)(T, T);
  const Tensor rows = t5_bucket(mirrored_distance(T), buckets->table.shape()[0], farthest, both_directions);
  return unsqueeze(permute(take(buckets->table, 0, rows), {2, 0, 1}), 0);
}

void PositionedAttention::parameters(const Visit& visit) {
  if (heads) visit("heads", *heads);
  if (relative) visit("relative", *relative);
  if (buckets) visit("buckets", *buckets);
}

Block::Block(const ReaderSize& size, Scheme scheme, Fault fault, Rng& rng)
    : attention(size, scheme, fault, rng),
      feed_forward(size.size, size.hidden, rng),
      attention_norm(size.size),
      feed_forward_norm(size.size) {}

Var Block::operator()(const Var& x, const Mask& mask) const {
  const Var y = x + attention(attention_norm(x), mask).context;
  return y + feed_forward(feed_forward_norm(y));
}

void Block::parameters(const Visit& visit) {
  visit("attention", attention);
  visit("feed_forward", feed_forward);
  visit("attention_norm", attention_norm);
  visit("feed_forward_norm", feed_forward_norm);
}

Reader::Reader(const ReaderSize& size, Scheme which, Fault broken, Rng& rng)
    : scheme(which),
      fault(broken),
      tokens(size.symbols, size.size, rng),
      norm(size.size),
      output(size.size, size.symbols, rng) {
  if (scheme == Scheme::learned) learned.emplace(size.longest, size.size, rng);
  for (Size i = 0; i < size.layers; ++i) blocks.emplace_back(size, scheme, fault, rng);
}

Var Reader::with_positions(const Var& x, Size first) const {
  if (scheme == Scheme::sinusoidal) return add_sinusoidal_positions(x, first);
  if (scheme == Scheme::learned) return (*learned)(x, first);
  return x;
}

Var Reader::operator()(const Tensor& ids, Size first) const {
  const Size T = ids.shape()[1];
  const Mask causal = causal_mask(T, T);
  const bool last = fault == Fault::positions_last;
  // A token's vector begins with length 1, its sinusoids have √(size / 2): the paper's factor makes them alike.
  Var x = tokens(ids) * std::sqrt(static_cast<double>(norm.gain.size()));  // [B, T, size]
  if (!last) x = with_positions(x, first);
  for (const Block& block : blocks) x = block(x, causal);
  if (last) x = with_positions(x, first);
  return output(norm(x));
}

void Reader::parameters(const Visit& visit) {
  visit("tokens", tokens);
  if (learned) visit("learned", *learned);
  visit("blocks", blocks);
  visit("norm", norm);
  visit("output", output);
}

}  // namespace attend::chapter07
