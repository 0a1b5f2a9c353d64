#include "tutorials/lesson/translation/names.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "tutorials/lesson/text.hpp"

namespace attend::translation {
namespace {

constexpr const char* space = " \r";  // a carriage return that no newline follows is white space, too

/// The pair of one line. Throws lesson::DataError where it is none.
Pair pair_of(const std::string& line, const std::string& path, Size number) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string::npos) throw lesson::DataError(path, number, "no tab on this line");
  const std::size_t end = std::min(line.find('\t', tab + 1), line.size());
  const auto trimmed = [](const std::string& text) { return lesson::trimmed(text, space); };
  Pair pair{trimmed(line.substr(0, tab)), trimmed(line.substr(tab + 1, end - tab - 1))};
  if (pair.source.empty()) throw lesson::DataError(path, number, "nothing before the tab");
  if (pair.target.empty()) throw lesson::DataError(path, number, "nothing behind the tab");
  return pair;
}

/// The different sources, in the order of their first occurrence.
std::vector<std::string> sources_of(const std::vector<Pair>& pairs) {
  std::vector<std::string> sources;
  std::set<std::string> met;
  for (const Pair& pair : pairs) {
    if (met.insert(pair.source).second) sources.push_back(pair.source);
  }
  return sources;
}

}  // namespace

std::vector<Pair> read_cldr_names(const std::string& path, const std::string& from, const std::string& to) {
  const lesson::Tsv file = lesson::read_tsv(path, 2, lesson::Header::first_line);
  const auto column = [&](const std::string& language) {
    const auto found = std::find(file.header.begin(), file.header.end(), language);
    if (found == file.header.end()) throw lesson::DataError(path, 1, "no column '" + language + "'");
    return static_cast<std::size_t>(found - file.header.begin());
  };
  const std::size_t source = column(from), target = column(to);
  std::vector<Pair> pairs;
  for (const lesson::TsvRow& row : file.rows) {
    if (row.cells.size() <= std::max(source, target)) {
      throw lesson::DataError(path, row.line, "fewer columns than the header");
    }
    pairs.push_back({row.cells[source], row.cells[target]});
  }
  return pairs;
}

std::vector<Pair> read_pair_file(const std::string& path) {
  std::vector<Pair> pairs;
  std::set<std::pair<std::string, std::string>> met;
  std::istringstream text(lesson::read_text(path));
  Size number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    const bool header = number == 1 && lesson::begins(line, "#");
    if (header || lesson::trimmed(line, space).empty()) continue;
    Pair pair = pair_of(line, path, number);
    if (met.insert({pair.source, pair.target}).second) pairs.push_back(std::move(pair));
  }
  if (pairs.empty()) throw lesson::DataError(path, number, "the file holds no pair");
  if (sources_of(pairs).size() < 2) {
    throw lesson::DataError(path, number,
                            "two different texts before the tab are needed: one to learn, one to hold out");
  }
  return pairs;
}

std::vector<Pair> pairs_of(const std::string& own_file) {
  return own_file.empty() ? read_cldr_names(lesson::data_path("cldr/cldr_emoji_names.tsv")) : read_pair_file(own_file);
}

Split split_pairs(const std::vector<Pair>& pairs, double held_out_share, Rng& rng) {
  const std::vector<std::string> sources = sources_of(pairs);
  const Size count = lesson::size_of(sources);
  if (!(held_out_share >= 0 && held_out_share <= 1)) {
    throw std::invalid_argument("split_pairs: a share of " + std::to_string(held_out_share) + "; 0 to 1 are possible");
  }
  if (count < 2) throw std::invalid_argument("split_pairs: fewer than two different sources");

  const auto wanted = static_cast<Size>(std::lround(held_out_share * static_cast<double>(count)));
  const Size aside = std::clamp<Size>(wanted, 1, count - 1);
  const std::vector<std::int64_t> order = rng.permutation(count);
  std::set<std::string> chosen;
  for (Size i = 0; i < aside; ++i) chosen.insert(sources[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]);

  Split split;
  for (const Pair& pair : pairs) (chosen.count(pair.source) > 0 ? split.held_out : split.training).push_back(pair);
  return split;
}

}  // namespace attend::translation
