#include "tutorials/06_many_heads/heads.hpp"

#include <cmath>
#include <stdexcept>

#include "tutorials/lesson/size.hpp"

namespace attend::chapter06 {
namespace {

// The heads' weights in one sentence: [heads, T, T].
Var weights_in(const Classifier& model, const Lexicon& lexicon, const Sentence& sentence) {
  return squeeze(model(batch_of({sentence}, lexicon)).weights, {0});
}

Size heads_of(const Classifier& model) { return model.attention ? model.attention->heads : 0; }

}  // namespace

std::vector<lesson::HeatMap> head_maps(const Classifier& model, const Lexicon& lexicon, const Sentence& sentence) {
  const Var weights = weights_in(model, lexicon, sentence);
  const Size T = lesson::size_of(sentence.words);
  std::vector<lesson::HeatMap> maps;
  for (Size h = 0; h < heads_of(model); ++h) {
    const Tensor of_head = contiguous(select(weights, 0, h).value());  // [T, T]
    maps.push_back(
        {lesson::Matrix(T, T, of_head.to_vector()), sentence.words, sentence.words, "head " + std::to_string(h + 1)});
  }
  return maps;
}

double distance_between_heads(const Classifier& model, const Lexicon& lexicon, const Sentences& sentences) {
  const Size heads = heads_of(model);
  if (heads < 2) throw std::invalid_argument("distance_between_heads: " + std::to_string(heads) + " heads");
  double total = 0, compared = 0;
  for (const Sentence& sentence : sentences) {
    const Var weights = weights_in(model, lexicon, sentence);
    for (Size a = 0; a < heads; ++a) {
      for (Size b = a + 1; b < heads; ++b) {
        total += 0.5 * sum(abs(select(weights, 0, a) - select(weights, 0, b))).item();
        compared += static_cast<double>(sentence.words.size());
      }
    }
  }
  return total / compared;
}

std::vector<double> words_looked_at(const Classifier& model, const Lexicon& lexicon, const Sentences& sentences) {
  std::vector<double> entropies(static_cast<std::size_t>(heads_of(model)), 0);
  double rows = 0;
  for (const Sentence& sentence : sentences) {
    const Var weights = cast(weights_in(model, lexicon, sentence), DType::float64);
    const Var positive = maximum(weights, Var(Tensor::full({}, 1e-300, DType::float64)));  // 0 · log 0 is 0
    const std::vector<double> of_heads = sum(-(weights * log(positive)), {1, 2}).value().to_vector();
    for (std::size_t h = 0; h < of_heads.size(); ++h) entropies[h] += of_heads[h];
    rows += static_cast<double>(sentence.words.size());
  }
  for (double& entropy : entropies) entropy = std::exp(entropy / rows);
  return entropies;
}

double words_looked_at_evenly(const Sentences& sentences) {
  double entropy = 0, rows = 0;
  for (const Sentence& sentence : sentences) {
    const double words = static_cast<double>(sentence.words.size());
    entropy += words * std::log(words);
    rows += words;
  }
  return std::exp(entropy / rows);
}

Classifier without_head(Classifier model, Size head) {
  MultiHeadAttention& attention = model.attention.value();
  const Size size = attention.output.weight.shape()[0], d = size / attention.heads;
  std::vector<double> heard(static_cast<std::size_t>(size), 1);
  for (Size i = head * d; i < (head + 1) * d; ++i) heard[static_cast<std::size_t>(i)] = 0;
  const Var mask(Tensor::from(heard, {size, 1}, attention.output.weight.dtype()));
  attention.output.weight = Var::parameter((attention.output.weight * mask).value());
  return model;
}

}  // namespace attend::chapter06
