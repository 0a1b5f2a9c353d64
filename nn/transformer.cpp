#include "nn/transformer.hpp"

#include <stdexcept>

namespace attend {
namespace {

// A block with its residual connection: x + block(norm(x)), or norm(x + block(x)).
template <class Block>
Var residual(const Var& x, const LayerNorm& norm, NormPlace place, double dropout_p, Rng* rng, const Block& block) {
  if (place == NormPlace::before) return x + dropout(block(norm(x)), dropout_p, rng);
  return norm(x + dropout(block(x), dropout_p, rng));
}

// Those of the first part of a layer, so that what the last would refuse is refused before a number is drawn.
MultiHeadOptions attention_options(const TransformerOptions& options, bool want_weights) {
  if (options.hidden < 1) {
    throw std::invalid_argument("transformer: a feed-forward part of width " + std::to_string(options.hidden));
  }
  MultiHeadOptions attention;
  attention.dropout = options.dropout;
  attention.want_weights = want_weights;
  return attention;
}

}  // namespace

FeedForward::FeedForward(Size size, Size hidden, Rng& rng) : widen(size, hidden, rng), narrow(hidden, size, rng) {}

Var FeedForward::operator()(const Var& x) const { return narrow(relu(widen(x))); }

void FeedForward::parameters(const Visit& visit) {
  visit("widen", widen);
  visit("narrow", narrow);
}

EncoderLayer::EncoderLayer(const TransformerOptions& options, Rng& rng)
    : attention(options.size, options.heads, rng, attention_options(options, !options.blockwise)),
      feed_forward(options.size, options.hidden, rng),
      attention_norm(options.size),
      feed_forward_norm(options.size),
      dropout(options.dropout),
      norm(options.norm) {}

Var EncoderLayer::operator()(const Var& x, const Mask& mask, Rng* rng) const {
  const Var there = hide_invisible(x, mask);
  const Var seen = residual(there, attention_norm, norm, dropout, rng,
                            [&](const Var& in) { return attention(in, mask, rng).context; });
  return residual(seen, feed_forward_norm, norm, dropout, rng, feed_forward);
}

void EncoderLayer::parameters(const Visit& visit) {
  visit("attention", attention);
  visit("feed_forward", feed_forward);
  visit("attention_norm", attention_norm);
  visit("feed_forward_norm", feed_forward_norm);
}

DecoderCache DecoderCache::taken(const Tensor& rows) const {
  if (!memory_key.defined()) return {self.taken(rows), {}, {}};
  return {self.taken(rows), take(memory_key, 0, rows), take(memory_value, 0, rows)};
}

DecoderLayer::DecoderLayer(const TransformerOptions& options, Rng& rng)
    : self_attention(options.size, options.heads, rng, attention_options(options, !options.blockwise)),
      memory_attention(options.size, options.heads, rng, attention_options(options, true)),
      feed_forward(options.size, options.hidden, rng),
      self_norm(options.size),
      memory_norm(options.size),
      feed_forward_norm(options.size),
      dropout(options.dropout),
      norm(options.norm) {}

Attended DecoderLayer::operator()(const Var& x, const Var& memory, const Mask& memory_mask, Rng* rng) const {
  const auto [B, T, size] = dims<3>(x, "decoder layer");
  const Mask causal = causal_mask(T, T);
  const Var own = residual(x, self_norm, norm, dropout, rng,
                           [&](const Var& in) { return self_attention(in, causal, rng).context; });
  Var weights;
  const Var seen = residual(own, memory_norm, norm, dropout, rng, [&](const Var& in) {
    const Attended attended = memory_attention(in, memory, memory, memory_mask, rng);
    weights = attended.weights;
    return attended.context;
  });
  return {residual(seen, feed_forward_norm, norm, dropout, rng, feed_forward), weights};
}

Attended DecoderLayer::step(const Var& x, const Var& memory, DecoderCache& cache, const Mask& memory_mask) const {
  DecoderCache next = cache;  // takes its place at the end, so that a step that throws leaves it alone
  if (!next.memory_key.defined()) {
    const Var there = hide_invisible(memory, memory_mask);
    next.memory_key = memory_attention.key_heads(there);
    next.memory_value = memory_attention.value_heads(there);
  }
  const Var own = residual(x, self_norm, norm, 0, evaluation,
                           [&](const Var& in) { return self_attention.step(in, next.self).context; });
  Var weights;
  const Var seen = residual(own, memory_norm, norm, 0, evaluation, [&](const Var& in) {
    const Attended attended = memory_attention.finish(
        scaled_dot_attention(memory_attention.query_heads(in), next.memory_key, next.memory_value, {memory_mask}));
    weights = attended.weights;
    return attended.context;
  });
  const Var y = residual(seen, feed_forward_norm, norm, 0, evaluation, feed_forward);
  cache = next;
  return {y, weights};
}

void DecoderLayer::parameters(const Visit& visit) {
  visit("self_attention", self_attention);
  visit("memory_attention", memory_attention);
  visit("feed_forward", feed_forward);
  visit("self_norm", self_norm);
  visit("memory_norm", memory_norm);
  visit("feed_forward_norm", feed_forward_norm);
}

}  // namespace attend
