#pragma once

#include <optional>

#include "nn/attention/multi_head.hpp"
#include "nn/embedding.hpp"
#include "nn/layer_norm.hpp"
#include "tutorials/06_many_heads/sentences.hpp"

/// The model: words that look at each other once, and a verdict from their mean.

namespace attend::chapter06 {

/// The mean of the words that are there: x [B, T, E], of sentence b the first lengths[b] (at least 1) -> [B, E].
/// Padding may hold anything, NaN included. Throws std::invalid_argument for lengths that do not fit.
Var mean_of_words(const Var& x, const std::vector<Size>& lengths);

/// Whether a model knows where its sentences end.
enum class Padding { hidden, seen };

struct ClassifierOptions {
  Size words = 0;  // of the lexicon
  Size width = 32;
  Size heads = 1;  // 0: no attention at all, words do not look at each other
  double dropout = 0.5;
  Padding padding = Padding::hidden;
  bool normed = true;  // whether words are brought to one length before they look at each other
};

/// A verdict, and the weights that led to it.
struct Verdict {
  Var logits;   // [B, 2]: complaint, praise
  Var weights;  // [B, heads, T, T]; undefined without attention
};

///   x = embedding(words)     h = x + multi_head(norm(x))     logits = mean of h over the words · W + b
/// The layer norm brings every word to the same length √E, as in a transformer; without it the vectors are so short
/// that all scores are nearly 0, and heads have nothing to differ by.
/// Positions have no part in it: those are for chapter 07.
struct Classifier {
  Embedding words;                              // [words, E]
  std::optional<MultiHeadAttention> attention;  // none when there are no heads
  std::optional<LayerNorm> norm;                // before the attention
  Linear verdict;                               // [E, 2]
  double dropout;
  Padding padding;

  Classifier(const ClassifierOptions& options, Rng& rng);
  Verdict operator()(const Batch& batch, Rng* rng = evaluation) const;
  void parameters(const Visit& visit);
};

/// How well a model does on sentences.
struct Quality {
  double right;  // a share
  double loss;   // mean cross-entropy
};
Quality judged(const Classifier& model, const Sentences& sentences, const Lexicon& lexicon);

}  // namespace attend::chapter06
