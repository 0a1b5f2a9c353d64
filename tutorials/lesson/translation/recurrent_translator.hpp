#pragma once
#include <optional>
#include <vector>

#include "nn/attention/additive.hpp"
#include "nn/embedding.hpp"
#include "nn/gru.hpp"
#include "tutorials/lesson/translation/learning.hpp"

/// An RNN that reads, an RNN that writes, and attention between them: the model of chapter 03, and what chapter 08
/// compares its own with.

namespace attend::translation {

/// What is between reader and writer.
enum class Bridge {
  attention,       // the writer looks at every state of the reader, anew at each step
  summary,         // no attention: it gets the reader's last states, the same at each step
  no_softmax,      // attention whose weights are the scores themselves
  no_query,        // attention whose scores do not see what is asked
  visible_padding  // attention that looks at the padding behind a short text as well
};

struct TranslatorSize {
  Size source_symbols, target_symbols;
  Size embedding = 32, hidden = 64;
};

/// RNN encoder–decoder with additive attention. Bahdanau, Cho, Bengio 2015 (arXiv:1409.0473).
///   h_j = [→GRU(x)_j ; ←GRU(x)_j]                               the reader's states
///   c_i = attention(query s_{i−1}, keys h, values h)            where the writer looks
///   s_i = GRU([y_{i−1} ; c_i], s_{i−1})                         the writer's state
///   p(y_i) = softmax(W [s_i ; c_i] + b)
/// With Bridge::summary, c_i is [→h_last ; ←h_first] at every step: the encoder–decoder of Cho et al. 2014
/// (arXiv:1406.1078). One deviation from the papers: they pass s_i, y_{i−1} and c_i through a maxout layer to the
/// softmax, here s_i and c_i go through one linear layer.
struct RecurrentTranslator {
  Embedding source_embedding, target_embedding;
  GRU forwards, backwards;
  Linear begin;  // s_0 = tanh(W ←h_first), as in Bahdanau et al.
  std::optional<AdditiveAttention> attention;
  GRUCell writer;
  Linear output;
  Bridge bridge;

  RecurrentTranslator(const TranslatorSize& size, Bridge bridge, Rng& rng);
  void parameters(const Visit& visit);

  /// Scores of the next symbol after each given one, [B, Ty, symbols]: the writer is fed with the right text.
  /// source [B, Tx], target [B, Ty], int64; lengths of the B sources. `visible` can hide more from the attention than
  /// the padding, which is always hidden.
  Var operator()(const Tensor& source, const std::vector<Size>& lengths, const Tensor& target,
                 const Mask& visible = {}) const;

  /// Writes the most likely symbol at each step, until every text of the batch has ended or `most` symbols are written.
  Written write(const Tensor& source, const std::vector<Size>& lengths, std::int64_t begin_id, std::int64_t end_id,
                Size most) const;

 private:
  struct Read;
  struct Step;
  Read read(const Tensor& source, const std::vector<Size>& lengths) const;
  Attended look(const Var& state, const Read& read) const;
  Step step(const Var& symbol, const Var& state, const Read& read) const;
};

Var training_scores(const RecurrentTranslator& model, const Pairs& pairs, Rng& rng);

using RecurrentLearner = Learner<RecurrentTranslator>;
RecurrentLearner learner_of(const Task& task, const TranslatorSize& size, Bridge bridge, std::uint64_t seed,
                            double rate, const LearningOptions& options = {});

}  // namespace attend::translation
