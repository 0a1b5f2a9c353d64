#include "tutorials/08_transformer/transformer.hpp"

#include <cmath>

#include "nn/position/sinusoidal.hpp"
#include "tensor/kernels.hpp"
#include "tutorials/08_transformer/writing.hpp"

namespace attend::chapter08 {
namespace {

template <class Layer>
std::vector<Layer> stack_of(Size layers, const TransformerOptions& options, Rng& rng) {
  std::vector<Layer> stack;
  for (Size i = 0; i < layers; ++i) stack.emplace_back(options, rng);
  return stack;
}

// The decoder layer (pre-norm) as it must not be: a word of the training text sees those behind it.
Attended without_causal_mask(const DecoderLayer& layer, const Var& x, const Memory& memory) {
  const Var own = x + layer.self_attention(layer.self_norm(x)).context;
  const Attended seen = layer.memory_attention(layer.memory_norm(own), memory.states, memory.states, memory.mask);
  const Var both = own + seen.context;
  return {both + layer.feed_forward(layer.feed_forward_norm(both)), seen.weights};
}

}  // namespace

Transformer::Transformer(const TransformerSize& size, Rng& rng, Flaw broken)
    : source_embedding(size.source_tokens, size.layer.size, rng),
      target_embedding(size.target_tokens, size.layer.size, rng),
      encoder(stack_of<EncoderLayer>(size.encoder_layers, size.layer, rng)),
      decoder(stack_of<DecoderLayer>(size.decoder_layers, size.layer, rng)),
      output(size.layer.size, size.target_tokens, rng),
      flaw(broken) {
  if (size.layer.norm == NormPlace::after) return;
  encoder_norm.emplace(size.layer.size);
  decoder_norm.emplace(size.layer.size);
}

void Transformer::parameters(const Visit& visit) {
  visit("source_embedding", source_embedding);
  visit("target_embedding", target_embedding);
  visit("encoder", encoder);
  visit("decoder", decoder);
  if (encoder_norm) visit("encoder_norm", *encoder_norm);
  if (decoder_norm) visit("decoder_norm", *decoder_norm);
  visit("output", output);
}

Var Transformer::embedded(const Embedding& embedding, const Tensor& tokens, Size first) const {
  const Var x = embedding(tokens) * std::sqrt(static_cast<double>(embedding.table.shape()[1]));  // [B, T, size]
  return flaw == Flaw::no_positions ? x : add_sinusoidal_positions(x, first);
}

Memory Transformer::read(const Tensor& source, const std::vector<Size>& lengths, Rng* rng) const {
  const Mask mask = flaw == Flaw::visible_padding ? Mask() : padding_mask(lengths, source.shape()[1]);
  Var x = embedded(source_embedding, source, 0);  // [B, Tx, size]
  for (const EncoderLayer& layer : encoder) x = layer(x, mask, rng);
  return {encoder_norm ? (*encoder_norm)(x) : x, mask};
}

Seen Transformer::follow(const Tensor& given, const Memory& memory, Rng* rng) const {
  Attended now{embedded(target_embedding, given, 0), {}};  // [B, Ty, size]
  for (const DecoderLayer& layer : decoder) {
    now = flaw == Flaw::no_causal_mask ? without_causal_mask(layer, now.context, memory)
                                       : layer(now.context, memory.states, memory.mask, rng);
  }
  return {output(decoder_norm ? (*decoder_norm)(now.context) : now.context), now.weights};  // [B, Ty, tokens]
}

Seen Transformer::step(const Tensor& last, const Memory& memory, Cache& cache) const {
  cache.layers.resize(decoder.size());
  const Size place = flaw == Flaw::cache_from_zero ? 0 : cache.length;
  Attended now{embedded(target_embedding, reshape(last, {last.size(), 1}), place), {}};  // [B, 1, size]
  for (std::size_t i = 0; i < decoder.size(); ++i) {
    now = decoder[i].step(now.context, memory.states, cache.layers[i], memory.mask);
  }
  ++cache.length;
  return {output(decoder_norm ? (*decoder_norm)(now.context) : now.context), now.weights};  // [B, 1, tokens]
}

Var Transformer::operator()(const Tensor& source, const std::vector<Size>& lengths, const Tensor& given,
                            Rng* rng) const {
  return follow(given, read(source, lengths, rng), rng).scores;
}

Var training_scores(const Transformer& model, const translation::Pairs& pairs, Rng& rng) {
  return model(pairs.source, pairs.lengths, pairs.given, &rng);
}

translation::Written Transformer::write(const Tensor& source, const std::vector<Size>& lengths, std::int64_t begin,
                                        std::int64_t end, Size most) const {
  std::vector<Tensor> weights;
  const NextSymbol next = with_cache(*this, source, lengths, &weights);
  translation::Written written;
  for (const Decoded& text : greedy(next, source.shape()[0], {begin, end, most})) written.ids.push_back(text.symbols);
  written.weights = kernel::concat(weights, 1);  // [B, steps, Tx]
  return written;
}

}  // namespace attend::chapter08
