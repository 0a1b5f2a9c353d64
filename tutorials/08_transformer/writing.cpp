#include "tutorials/08_transformer/writing.hpp"

#include <memory>

#include "tensor/kernels.hpp"

namespace attend::chapter08 {
namespace {

// The texts that are being written, one for each source.
struct Texts {
  Tensor source;
  std::vector<Size> lengths;
  Memory memory;
  Cache cache;
  Tensor words;  // int64 [B, T]: those that were read so far, where no cache has them
};

std::shared_ptr<Texts> begun(const Transformer& model, const Tensor& source, const std::vector<Size>& lengths) {
  const Recording off(false);
  return std::make_shared<Texts>(Texts{source, lengths, model.read(source, lengths), {}, {}});
}

// From now on text i is what rows[i] has been. The memory moves along, although the rows of a beam have one source.
void keep_rows(Texts& texts, const Tensor& rows) {
  const Recording off(false);
  texts.memory.states = take(texts.memory.states, 0, rows);
  if (!texts.memory.mask.allows_all()) texts.memory.mask = Mask(kernel::take(texts.memory.mask.allowed(), 0, rows));
  for (DecoderCache& layer : texts.cache.layers) layer = layer.taken(rows);
  if (texts.words.defined()) texts.words = kernel::take(texts.words, 0, rows);
}

Tensor log_probabilities(const Var& scores) {  // [B, 1, tokens]
  return log_softmax(squeeze(scores, {1})).value();
}

}  // namespace

NextSymbol with_cache(const Transformer& model, const Tensor& source, const std::vector<Size>& lengths,
                      std::vector<Tensor>* weights) {
  const auto texts = begun(model, source, lengths);
  const auto next = [&model, texts, weights](const Tensor& last) {
    const Recording off(false);
    const Seen seen = model.step(last, texts->memory, texts->cache);
    if (weights) weights->push_back(mean(seen.weights, {1}).value());
    return log_probabilities(seen.scores);
  };
  return {next, [texts](const Tensor& rows) { keep_rows(*texts, rows); }};
}

NextSymbol without_cache(const Transformer& model, const Tensor& source, const std::vector<Size>& lengths) {
  const auto texts = begun(model, source, lengths);
  const auto next = [&model, texts](const Tensor& last) {
    const Recording off(false);
    const Tensor column = reshape(last, {last.size(), 1});
    texts->words = texts->words.defined() ? kernel::concat({texts->words, column}, 1) : column;
    const Var scores = model.follow(texts->words, texts->memory).scores;  // [B, T, tokens]
    return log_probabilities(slice(scores, 1, scores.shape()[1] - 1, 1));
  };
  return {next, [texts](const Tensor& rows) { keep_rows(*texts, rows); }};
}

}  // namespace attend::chapter08
