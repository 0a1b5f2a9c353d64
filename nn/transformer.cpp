#include "nn/transformer.hpp"

namespace attend {
namespace {

// A block with its residual connection: x + block(norm(x)), or norm(x + block(x)).
template <class Block>
Var residual(const Var& x, const LayerNorm& norm, NormPlace place, double dropout_p, Rng* rng, const Block& block) {
  if (place == NormPlace::before) return x + dropout(block(norm(x)), dropout_p, rng);
  return norm(x + dropout(block(x), dropout_p, rng));
}

MultiHeadOptions attention_options(const TransformerOptions& options) {
  MultiHeadOptions attention;
  attention.dropout = options.dropout;
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
    : attention(options.size, options.heads, rng, attention_options(options)),
      feed_forward(options.size, options.hidden, rng),
      attention_norm(options.size),
      feed_forward_norm(options.size),
      dropout(options.dropout),
      norm(options.norm) {}

Var EncoderLayer::operator()(const Var& x, const Mask& mask, Rng* rng) const {
  const Var seen =
      residual(x, attention_norm, norm, dropout, rng, [&](const Var& in) { return attention(in, mask, rng).context; });
  return residual(seen, feed_forward_norm, norm, dropout, rng, feed_forward);
}

void EncoderLayer::parameters(const Visit& visit) {
  visit("attention", attention);
  visit("feed_forward", feed_forward);
  visit("attention_norm", attention_norm);
  visit("feed_forward_norm", feed_forward_norm);
}

DecoderLayer::DecoderLayer(const TransformerOptions& options, Rng& rng)
    : self_attention(options.size, options.heads, rng, attention_options(options)),
      memory_attention(options.size, options.heads, rng, attention_options(options)),
      feed_forward(options.size, options.hidden, rng),
      self_norm(options.size),
      memory_norm(options.size),
      feed_forward_norm(options.size),
      dropout(options.dropout),
      norm(options.norm) {}

Attended DecoderLayer::operator()(const Var& x, const Var& memory, const Mask& memory_mask, Rng* rng) const {
  const Mask causal = causal_mask(x.shape()[1], x.shape()[1]);
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
  if (!cache.memory_key.defined()) {
    cache.memory_key = memory_attention.key_heads(hide_invisible(memory, memory_mask));
    cache.memory_value = memory_attention.value_heads(memory);
  }
  const Var own = residual(x, self_norm, norm, 0, evaluation,
                           [&](const Var& in) { return self_attention.step(in, cache.self).context; });
  Var weights;
  const Var seen = residual(own, memory_norm, norm, 0, evaluation, [&](const Var& in) {
    const Attended attended = memory_attention.finish(
        scaled_dot_attention(memory_attention.query_heads(in), cache.memory_key, cache.memory_value, {memory_mask}));
    weights = attended.weights;
    return attended.context;
  });
  return {residual(seen, feed_forward_norm, norm, 0, evaluation, feed_forward), weights};
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
