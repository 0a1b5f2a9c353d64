#pragma once
#include <optional>
#include <vector>

#include "nn/embedding.hpp"
#include "nn/transformer.hpp"
#include "tutorials/lesson/translation/learning.hpp"

/// The model of this chapter: a stack of layers that reads, and one that writes.

namespace attend::chapter08 {

/// What can be broken on purpose.
enum class Flaw {
  none,
  no_causal_mask,   // in training, a position sees the words that are still to be written
  no_positions,     // no word knows where it stands
  visible_padding,  // the padding behind short texts is read like words
  cache_from_zero   // written with the cache, every word is the first one
};

struct TransformerSize {
  Size source_tokens, target_tokens;
  Size encoder_layers = 1, decoder_layers = 1;
  TransformerOptions layer = {};
};

/// What the encoder hands over: its states [B, Tx, size], and which of them are no padding.
struct Memory {
  Var states;
  Mask mask;
};

/// What the decoder remembers of the words so far: a cache for each layer, and how many words they hold.
struct Cache {
  std::vector<DecoderCache> layers;
  Size length = 0;
};

/// Scores of the next token after each one, [B, Ty, tokens], and where the last layer looked, [B, heads, Ty, Tx].
struct Seen {
  Var scores, weights;
};

/// The transformer. Vaswani et al. 2017 (arXiv:1706.03762).
///   memory  =  encoder layers(√size · embedding(x) + P)              [B, Tx] -> [B, Tx, size]
///   states  =  decoder layers(√size · embedding(y) + P,  memory)     [B, Ty] -> [B, Ty, size]
///   p(y_t | y_1 .. y_t−1, x)  =  softmax(W states_t−1 + b)
/// P are the sinusoidal positions. Two deviations from the paper: with NormPlace::before a stack ends with a norm of
/// its own, since nothing else has normalised the sum of its residuals; and W is not the table of an embedding.
struct Transformer {
  Embedding source_embedding, target_embedding;
  std::vector<EncoderLayer> encoder;
  std::vector<DecoderLayer> decoder;
  std::optional<LayerNorm> encoder_norm, decoder_norm;
  Linear output;
  Flaw flaw;

  Transformer(const TransformerSize& size, Rng& rng, Flaw flaw = Flaw::none);
  void parameters(const Visit& visit);

  /// source int64 [B, Tx], lengths of the B sources. With an Rng, here and in `follow`, there is dropout.
  Memory read(const Tensor& source, const std::vector<Size>& lengths, Rng* rng = evaluation) const;
  /// All steps at once, each after the right words: given int64 [B, Ty].
  Seen follow(const Tensor& given, const Memory& memory, Rng* rng = evaluation) const;
  /// One step: the scores after the word `last`, int64 [B], which then is in the cache.
  Seen step(const Tensor& last, const Memory& memory, Cache& cache) const;

  /// What training asks for: `follow` what was `read`.
  Var operator()(const Tensor& source, const std::vector<Size>& lengths, const Tensor& given,
                 Rng* rng = evaluation) const;
  /// What it writes by itself, the likeliest word at each step. The weights are the mean of the last layer's heads.
  translation::Written write(const Tensor& source, const std::vector<Size>& lengths, std::int64_t begin,
                             std::int64_t end, Size most) const;

 private:
  Var embedded(const Embedding& embedding, const Tensor& tokens, Size first) const;
};

/// With dropout, as `Learner` asks for it.
Var training_scores(const Transformer& model, const translation::Pairs& pairs, Rng& rng);

}  // namespace attend::chapter08
