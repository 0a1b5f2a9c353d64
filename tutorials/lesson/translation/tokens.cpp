#include "tutorials/lesson/translation/tokens.hpp"

#include <algorithm>
#include <iterator>

#include "tutorials/lesson/text.hpp"

namespace attend::translation {
namespace {

bool is_apostrophe(char32_t c) { return c == U'\'' || c == U'’'; }

/// Whether the character stands between words. Everything else (letters, digits, emoji, ...) is part of one.
bool is_separator(char32_t c) {
  constexpr std::u32string_view separators =
      U" \t\n\r\u00A0\u2009\u202F"  // spaces; French has narrow ones before ; : ! ?
      U".,:;!?…·()[]{}/\\|\"“”„«»‹›‘-‐‑–—&+*";
  return separators.find(c) != std::u32string_view::npos;
}

/// The English endings written behind an apostrophe.
bool is_ending(std::u32string_view letters) {
  constexpr std::u32string_view endings[] = {U"s", U"t", U"d", U"m", U"ll", U"re", U"ve"};
  return std::find(std::begin(endings), std::end(endings), letters) != std::end(endings);
}

/// Cuts a word at its apostrophes: man|’s, d’|eau, rock’|n’|roll. The pieces, in order, are the word.
std::vector<std::u32string> cut_at_apostrophes(std::u32string_view word) {
  std::vector<std::u32string> pieces;
  std::size_t start = 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (!is_apostrophe(word[i])) continue;
    const bool ends_here = i > start && is_ending(word.substr(i + 1));
    const std::size_t cut = ends_here ? i : i + 1;
    pieces.emplace_back(word.substr(start, cut - start));
    start = cut;
    if (ends_here) break;
  }
  if (start < word.size()) pieces.emplace_back(word.substr(start));
  return pieces;
}

/// What `join_words` puts between two neighbours: a space between words, nothing where one brings its own.
std::u32string_view between(std::u32string_view left, std::u32string_view right) {
  if (left.empty() || right.empty()) return U"";
  if (is_separator(left.back()) || is_separator(right.front())) return U"";
  if (is_apostrophe(left.back()) || is_apostrophe(right.front())) return U"";
  return U" ";
}

}  // namespace

Tokens characters_of(std::string_view text) {
  Tokens tokens;
  for (const char32_t c : lesson::decode(text)) tokens.push_back(lesson::encode({&c, 1}));
  return tokens;
}

std::string join_characters(const Tokens& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

Tokens words_of(std::string_view text) {
  const std::u32string all = lesson::decode(text);
  std::vector<std::u32string> tokens;
  for (auto at = all.begin(); at != all.end();) {
    const auto word = std::find_if_not(at, all.end(), is_separator);
    const auto word_end = std::find_if(word, all.end(), is_separator);
    const std::u32string gap(at, word);
    const std::vector<std::u32string> pieces = cut_at_apostrophes(std::u32string(word, word_end));

    const bool implied = !tokens.empty() && !pieces.empty() && gap == between(tokens.back(), pieces.front());
    if (!gap.empty() && !implied) tokens.push_back(gap);
    tokens.insert(tokens.end(), pieces.begin(), pieces.end());
    at = word_end;
  }

  Tokens result;
  for (const std::u32string& token : tokens) result.push_back(lesson::encode(token));
  return result;
}

std::string join_words(const Tokens& tokens) {
  std::u32string text, last;
  for (const std::string& encoded : tokens) {
    const std::u32string token = lesson::decode(encoded);
    text.append(between(last, token)).append(token);
    last = token;
  }
  return lesson::encode(text);
}

}  // namespace attend::translation
