#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "tensor/shape.hpp"
#include "tutorials/lesson/translation/tokens.hpp"

/// Tokens as numbers.

namespace attend::translation {

using Ids = std::vector<std::int64_t>;

/// A number for every token. The first four are no text: what fills short rows, the beginning and the end of a text,
/// and a token that the vocabulary does not have.
class Vocabulary {
 public:
  static constexpr std::int64_t pad = 0, begin = 1, end = 2, unknown = 3;

  /// The given tokens in the order of their first occurrence; repeated ones count once.
  explicit Vocabulary(const Tokens& tokens);
  /// The tokens of all texts, sorted by their bytes, so that the order of the texts does not matter. Those that occur
  /// fewer than `at_least` times are left out, and will be `unknown`.
  static Vocabulary of(const std::vector<Tokens>& texts, Size at_least = 1);

  Size size() const { return static_cast<Size>(tokens_.size()); }
  bool has(const std::string& token) const { return ids_.count(token) > 0; }

  /// `unknown` for a token it does not have.
  std::int64_t id(const std::string& token) const;
  /// "<pad>", "<begin>", "<end>" and "<unknown>" for the first four. Throws std::invalid_argument out of range.
  const std::string& token(std::int64_t id) const;

  Ids encode(const Tokens& tokens) const;
  /// The tokens up to `end`, without `pad` and `begin`: what a decoder wrote, as text.
  Tokens decode(const Ids& ids) const;

 private:
  Tokens tokens_;
  std::unordered_map<std::string, std::int64_t> ids_;
};

}  // namespace attend::translation
