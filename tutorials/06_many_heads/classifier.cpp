#include "tutorials/06_many_heads/classifier.hpp"

#include <stdexcept>

#include "nn/loss.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/size.hpp"

namespace attend::chapter06 {

Var mean_of_words(const Var& x, const std::vector<Size>& lengths) {
  const auto [B, T, E] = dims<3>(x, "mean_of_words");
  if (lesson::size_of(lengths) != B) {
    throw std::invalid_argument("mean_of_words: " + std::to_string(lengths.size()) + " lengths for " + text(x.shape()));
  }
  const Tensor there = unsqueeze(padding_mask(lengths, T).visible_keys(), -1);  // [B, T, 1]
  const Var without_padding = where(there, x, Tensor::zeros({}, x.dtype()));
  const Var counts(Tensor::from({lengths.begin(), lengths.end()}, {B, 1}, x.dtype()));
  return sum(without_padding, {1}) / counts;  // [B, E]
}

Classifier::Classifier(const ClassifierOptions& options, Rng& rng)
    : words(options.words, options.width, rng),
      verdict(options.width, 2, rng),
      dropout(options.dropout),
      padding(options.padding) {
  MultiHeadOptions of_attention;
  of_attention.dropout = options.dropout;
  if (options.heads > 0) attention.emplace(options.width, options.heads, rng, of_attention);
  if (options.heads > 0 && options.normed) norm.emplace(options.width);
}

Verdict Classifier::operator()(const Batch& batch, Rng* rng) const {
  const Size T = batch.ids.shape()[1];
  const bool hidden = padding == Padding::hidden;
  const Mask mask = hidden ? padding_mask(batch.lengths, T) : Mask();
  const std::vector<Size> counted = hidden ? batch.lengths : std::vector<Size>(batch.lengths.size(), T);

  Var h = attend::dropout(words(batch.ids), dropout, rng);  // [B, T, E]
  Attended seen;
  if (attention) {
    seen = (*attention)(norm ? (*norm)(h) : h, mask, rng);
    h = h + attend::dropout(seen.context, dropout, rng);
  }
  return {verdict(mean_of_words(h, counted)), seen.weights};  // [B, 2]
}

void Classifier::parameters(const Visit& visit) {
  visit("words", words);
  if (attention) visit("attention", *attention);
  if (norm) visit("norm", *norm);
  visit("verdict", verdict);
}

Quality judged(const Classifier& model, const Sentences& sentences, const Lexicon& lexicon) {
  const Batch batch = batch_of(sentences, lexicon);
  const Var logits = model(batch).logits;
  return {lesson::share_equal(argmax(logits, -1), batch.praise), cross_entropy(logits, batch.praise).item()};
}

}  // namespace attend::chapter06
