#pragma once

#include <string>
#include <string_view>
#include <vector>

/// How a text becomes the tokens that the model reads and writes, and how tokens become text again.

namespace attend::translation {

/// Pieces of a text, each in UTF-8.
using Tokens = std::vector<std::string>;

/// The code points of a text, one token each. Throws std::invalid_argument when the text is not valid UTF-8.
Tokens characters_of(std::string_view text);

/// The tokens one after another.
std::string join_characters(const Tokens& tokens);

/// The words of a text, and what stands between them where that is more than a space:
///
///   "woman’s hat: up-left"  ->  woman  ’s  hat  ": "  up  "-"  left
///   "roue d’eau (grande)"   ->  roue  d’  eau  " ("  grande  ")"
///
/// An elided word keeps its apostrophe (d’, l’); an English ending keeps the one before it (’s, ’t).
/// Spaces, hyphens, slashes, quotes and other punctuation are no part of a word: a run of them is one token, and a
/// single space is none, because `join_words` puts it back. So join_words(words_of(text)) == text for every text.
/// Throws std::invalid_argument when the text is not valid UTF-8.
Tokens words_of(std::string_view text);

/// The text of words: a space between two of them, but none behind an apostrophe that ends a token, none before one
/// that begins a token, and none beside punctuation, which brings its own.
std::string join_words(const Tokens& tokens);

}  // namespace attend::translation
