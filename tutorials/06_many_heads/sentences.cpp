#include "tutorials/06_many_heads/sentences.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "tutorials/lesson/data.hpp"
#include "tutorials/lesson/size.hpp"

namespace attend::chapter06 {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '\''; }
bool is_mark(char c) { return c == '!' || c == '?'; }
char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

Words words_of(std::string_view text) {
  Words words;
  bool inside = false;  // a word, to which the next letter belongs
  for (const char any : text) {
    const char c = small(any);
    if (is_mark(c) || (is_letter(c) && !inside)) {
      words.emplace_back(1, c);
    } else if (is_letter(c)) {
      words.back() += c;
    }
    inside = is_letter(c);
  }
  return words;
}

Sentences read_sentences(const std::string& path) {
  Sentences sentences;
  for (const lesson::TsvRow& row : lesson::read_tsv(path, 2, lesson::Header::first_line).rows) {
    const std::string& label = row.cells[0];
    if (label != "0" && label != "1") {
      throw lesson::DataError(path, row.line, "the label '" + label + "' is neither 0 nor 1");
    }
    Words words = words_of(row.cells[1]);
    if (words.empty()) throw lesson::DataError(path, row.line, "no word behind the tab");
    sentences.push_back({std::move(words), label == "1" ? 1 : 0});
  }
  return sentences;
}

Sentences chosen(const Sentences& sentences, const std::vector<std::int64_t>& places) {
  Sentences some;
  for (const std::int64_t i : places) some.push_back(sentences.at(static_cast<std::size_t>(i)));
  return some;
}

Lexicon::Lexicon(const Sentences& training) : size_(2) {
  std::map<std::string, Size> occurrences;  // sorted, so that the order of the sentences does not matter
  for (const Sentence& sentence : training) {
    for (const std::string& word : sentence.words) ++occurrences[word];
  }
  for (const auto& [word, times] : occurrences) {
    if (times >= 2) ids_[word] = size_++;
  }
}

std::int64_t Lexicon::id(const std::string& word) const {
  const auto found = ids_.find(word);
  return found == ids_.end() ? unknown : found->second;
}

Batch batch_of(const Sentences& sentences, const Lexicon& lexicon, Size width) {
  if (sentences.empty()) throw std::invalid_argument("batch_of: no sentence");
  Batch batch;
  for (const Sentence& sentence : sentences) {
    batch.lengths.push_back(lesson::size_of(sentence.words));
    width = std::max(width, batch.lengths.back());
  }
  const Size B = lesson::size_of(sentences);
  std::vector<std::int64_t> ids, praise;
  for (const Sentence& sentence : sentences) {
    for (const std::string& word : sentence.words) ids.push_back(lexicon.id(word));
    praise.push_back(sentence.praise);
    ids.resize(praise.size() * static_cast<std::size_t>(width), Lexicon::padding);
  }
  batch.ids = Tensor::from_ints(ids, {B, width});
  batch.praise = Tensor::from_ints(praise, {B});
  return batch;
}

}  // namespace attend::chapter06
