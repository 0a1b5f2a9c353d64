#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tensor/tensor.hpp"

/// The task: short reviews in one sentence, and whether they praise or complain.

namespace attend::chapter06 {

using Words = std::vector<std::string>;

struct Sentence {
  Words words;
  std::int64_t praise;  // 1 or 0
};
using Sentences = std::vector<Sentence>;

/// The words of a text in small letters: runs of letters, digits and apostrophes; ! and ? are words too, and all else
/// only separates.   "It's GREAT!"  ->  it's great !
Words words_of(std::string_view text);

/// The sentences of a file like sentiment/amazon_sentiment.tsv: label, tab, text, below a header line. Throws
/// lesson::DataError for a broken file, a label other than 0 and 1, and a text without a word.
Sentences read_sentences(const std::string& path);

/// The sentences at these places.
Sentences chosen(const Sentences& sentences, const std::vector<std::int64_t>& places);

/// A number for each word that occurs at least twice in the sentences it is made from, which must be training sentences
/// only. 0 fills short rows, 1 stands for every other word.
class Lexicon {
 public:
  static constexpr std::int64_t padding = 0, unknown = 1;

  explicit Lexicon(const Sentences& training);
  Size size() const { return size_; }
  std::int64_t id(const std::string& word) const;

 private:
  std::unordered_map<std::string, std::int64_t> ids_;
  Size size_;
};

/// Sentences side by side, short ones filled up with padding.
struct Batch {
  Tensor ids;                 // int64 [B, T], T at least the longest
  std::vector<Size> lengths;  // B of them
  Tensor praise;              // int64 [B]
};

/// Throws std::invalid_argument when there is no sentence. T is `width` where that is more than the longest sentence.
Batch batch_of(const Sentences& sentences, const Lexicon& lexicon, Size width = 0);

}  // namespace attend::chapter06
