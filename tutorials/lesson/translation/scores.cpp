#include "tutorials/lesson/translation/scores.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "tutorials/lesson/text.hpp"

namespace attend::translation {
namespace {

constexpr Size longest_gram = 6;
constexpr double beta = 2;

/// The n-grams of a text for every n, sorted, repeated ones as often as they occur.
class Grams {
 public:
  explicit Grams(std::string_view text) {
    std::u32string characters = lesson::decode(text);
    const auto is_space = [](char32_t c) { return c == U' ' || c == U'\t' || c == U'\u00A0' || c == U'\u202F'; };
    characters.erase(std::remove_if(characters.begin(), characters.end(), is_space), characters.end());
    for (Size n = 1; n <= longest_gram; ++n) {
      auto& grams = grams_[static_cast<std::size_t>(n - 1)];
      for (Size start = 0; start + n <= lesson::size_of(characters); ++start) {
        grams.push_back(characters.substr(static_cast<std::size_t>(start), static_cast<std::size_t>(n)));
      }
      std::sort(grams.begin(), grams.end());
    }
  }

  const std::vector<std::u32string>& of_length(Size n) const { return grams_[static_cast<std::size_t>(n - 1)]; }
  bool none() const { return of_length(1).empty(); }

 private:
  std::array<std::vector<std::u32string>, longest_gram> grams_;
};

/// How many elements two sorted lists have in common, repeated ones as often as both have them.
Size common(const std::vector<std::u32string>& a, const std::vector<std::u32string>& b) {
  Size count = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    const int order = i->compare(*j);
    if (order == 0) ++count;
    if (order <= 0) ++i;
    if (order >= 0) ++j;
  }
  return count;
}

double character_f(const Grams& output, const Grams& reference) {
  if (output.none() && reference.none()) return 1;
  double precision = 0, recall = 0;
  Size lengths = 0;
  for (Size n = 1; n <= longest_gram; ++n) {
    const auto &ours = output.of_length(n), &theirs = reference.of_length(n);
    if (ours.empty() || theirs.empty()) break;  // no longer ones either
    const auto matches = static_cast<double>(common(ours, theirs));
    precision += matches / static_cast<double>(ours.size());
    recall += matches / static_cast<double>(theirs.size());
    ++lengths;
  }
  if (precision == 0) return 0;  // nothing in common: no recall either
  precision /= static_cast<double>(lengths);
  recall /= static_cast<double>(lengths);
  return (1 + beta * beta) * precision * recall / (beta * beta * precision + recall);
}

}  // namespace

double character_f(std::string_view output, std::string_view reference) {
  return character_f(Grams(output), Grams(reference));
}

Scores score(const std::vector<std::string>& outputs, const std::vector<Pair>& pairs) {
  if (outputs.empty() || outputs.size() != pairs.size()) {
    throw std::invalid_argument("score: " + std::to_string(outputs.size()) + " outputs for " +
                                std::to_string(pairs.size()) + " pairs");
  }
  Scores sum{0, 0};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    sum.exact_match += outputs[i] == pairs[i].target ? 1 : 0;
    sum.character_f += character_f(outputs[i], pairs[i].target);
  }
  const auto count = static_cast<double>(pairs.size());
  return {sum.exact_match / count, sum.character_f / count};
}

std::vector<std::string> copy_sources(const std::vector<Pair>& pairs) {
  std::vector<std::string> outputs;
  for (const Pair& pair : pairs) outputs.push_back(pair.source);
  return outputs;
}

std::vector<std::string> nearest_training_targets(const std::vector<Pair>& pairs, const std::vector<Pair>& training) {
  if (training.empty()) throw std::invalid_argument("nearest_training_targets: no training pairs");
  std::vector<Grams> known;
  for (const Pair& pair : training) known.emplace_back(pair.source);

  std::vector<std::string> outputs;
  for (const Pair& pair : pairs) {
    const Grams asked(pair.source);
    std::vector<double> closeness;
    for (const Grams& source : known) closeness.push_back(character_f(source, asked));
    const auto nearest = std::max_element(closeness.begin(), closeness.end());  // the first of equals
    outputs.push_back(training[static_cast<std::size_t>(nearest - closeness.begin())].target);
  }
  return outputs;
}

}  // namespace attend::translation
