#include "tutorials/lesson/translation/vocabulary.hpp"

#include <map>
#include <stdexcept>

namespace attend::translation {

Vocabulary::Vocabulary(const Tokens& tokens) : tokens_{"<pad>", "<begin>", "<end>", "<unknown>"} {
  // The first four are not in `ids_`: a text that holds "<pad>" as a word means that word.
  for (const std::string& token : tokens) {
    if (ids_.emplace(token, size()).second) tokens_.push_back(token);
  }
}

Vocabulary Vocabulary::of(const std::vector<Tokens>& texts, Size at_least) {
  std::map<std::string, Size> counts;
  for (const Tokens& text : texts) {
    for (const std::string& token : text) ++counts[token];
  }
  Tokens kept;
  for (const auto& [token, count] : counts) {
    if (count >= at_least) kept.push_back(token);
  }
  return Vocabulary(kept);
}

std::int64_t Vocabulary::id(const std::string& token) const {
  const auto found = ids_.find(token);
  return found == ids_.end() ? unknown : found->second;
}

const std::string& Vocabulary::token(std::int64_t id) const {
  if (id < 0 || id >= size()) {
    throw std::invalid_argument("Vocabulary: no token " + std::to_string(id) + " among " + std::to_string(size()));
  }
  return tokens_[static_cast<std::size_t>(id)];
}

Ids Vocabulary::encode(const Tokens& tokens) const {
  Ids ids;
  for (const std::string& token : tokens) ids.push_back(id(token));
  return ids;
}

Tokens Vocabulary::decode(const Ids& ids) const {
  Tokens tokens;
  for (const std::int64_t id : ids) {
    if (id == end) break;
    if (id != pad && id != begin) tokens.push_back(token(id));
  }
  return tokens;
}

}  // namespace attend::translation
