#pragma once
#include "tutorials/08_transformer/number_words.hpp"
#include "tutorials/08_transformer/transformer.hpp"

/// Does the decoder look at the word that it translates?

namespace attend::chapter08 {

/// Where the last decoder layer looks, step by step, when it is fed with the right text: one tensor [heads, words, Tx]
/// for each number. Row t is the step that is to write word t, the one at which word t − 1 was read.
std::vector<Tensor> looks(const translation::Task& task, const Transformer& model, const std::vector<Size>& numbers);

/// How many German words look most, among all English words, at the one that they translate. Words without a
/// counterpart ("und") are not counted.
struct Agreement {
  Size agreeing = 0, words = 0;
  double share() const { return static_cast<double>(agreeing) / static_cast<double>(words); }
};

/// By the kind of the German word, and all together.
struct Agreements {
  Agreement small, tens, hundred, thousand;         // 1 to 19, -zig, hundert, tausend
  Size thousand_behind = 0;                         // "tausend" that looks at a word behind "thousand"
  Size und = 0, und_at_tens = 0, und_at_digit = 0;  // where "und" looks, which is right nowhere
  Agreement all() const;
};

/// Of each head, and last of the mean of all heads.
std::vector<Agreements> agreements(const std::vector<Tensor>& looks, const std::vector<Size>& numbers);

/// The head that agrees best, the first of equals.
std::size_t best_head(const std::vector<Agreements>& heads_and_mean);

}  // namespace attend::chapter08
