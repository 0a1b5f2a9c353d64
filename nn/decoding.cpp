#include "nn/decoding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace attend {
namespace {

void check_options(const char* op, const NextSymbol& model, Size count, const DecodingOptions& options) {
  if (!model.log_probabilities) throw std::invalid_argument(std::string(op) + ": the model has no log_probabilities");
  if (count >= 1 && options.longest >= 1 && options.length_penalty >= 0) return;
  throw std::invalid_argument(std::string(op) + ": " + std::to_string(count) + " texts of at most " +
                              std::to_string(options.longest) + " symbols, length penalty " +
                              std::to_string(options.length_penalty));
}

// The model's answer for texts that end with `last`, row after row.
std::vector<double> answer(const NextSymbol& model, const std::vector<std::int64_t>& last) {
  const Size n = static_cast<Size>(last.size());
  const Tensor scores = model.log_probabilities(Tensor::from_ints(last, {n}));
  if (scores.rank() != 2 || scores.shape()[0] != n || scores.shape()[1] < 1) {
    throw std::invalid_argument("decoding: the model gives " + text(scores.shape()) + " for " + std::to_string(n) +
                                " texts; it is [texts, symbols]");
  }
  std::vector<double> values = scores.to_vector();
  if (std::any_of(values.begin(), values.end(), [](double score) { return std::isnan(score); })) {
    throw std::invalid_argument("decoding: the model gives NaN among scores " + text(scores.shape()));
  }
  return values;
}

// The search looks no further when a longer text cannot be a likelier one. (A logarithm of 1 may be rounded up.)
void check_falling(const std::vector<double>& scores, std::size_t texts) {
  const double highest = *std::max_element(scores.begin(), scores.end());
  if (highest <= 1e-3) return;
  throw std::invalid_argument("beam_search: a score of " + std::to_string(highest) + " among " +
                              text(Shape{static_cast<Size>(texts), static_cast<Size>(scores.size() / texts)}) +
                              "; the logarithm of a probability is at most 0");
}

// A text by what may become of it: one more symbol after text `row`.
struct Candidate {
  Size row;
  std::int64_t symbol;
  double log_probability;
};

double score(const Decoded& text, const DecodingOptions& options) {
  const double length = static_cast<double>(text.symbols.size()) + (text.ended ? 1 : 0);
  return text.log_probability / std::pow(std::max(1.0, length), options.length_penalty);
}

}  // namespace

std::vector<Decoded> greedy(const NextSymbol& model, Size count, const DecodingOptions& options) {
  check_options("greedy", model, count, options);
  std::vector<Decoded> texts(static_cast<std::size_t>(count));
  std::vector<std::int64_t> last(texts.size(), options.begin);
  std::size_t going = texts.size();
  for (Size step = 0; step < options.longest && going > 0; ++step) {
    const std::vector<double> scores = answer(model, last);
    const auto symbols = static_cast<std::ptrdiff_t>(scores.size() / texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (texts[i].ended) continue;
      const auto row = scores.begin() + static_cast<std::ptrdiff_t>(i) * symbols;
      const auto best = std::max_element(row, row + symbols);
      texts[i].log_probability += *best;
      last[i] = best - row;
      texts[i].ended = last[i] == options.end;
      if (texts[i].ended) {
        --going;
      } else {
        texts[i].symbols.push_back(last[i]);
      }
    }
  }
  return texts;
}

std::vector<Decoded> beam_search(const NextSymbol& model, const DecodingOptions& options) {
  check_options("beam_search", model, options.beam, options);
  const auto beam = static_cast<std::size_t>(options.beam);
  const auto better = [&](const Decoded& a, const Decoded& b) { return score(a, options) > score(b, options); };
  // The best score a text can still reach: log-probabilities only fall, and a longer text divides by more.
  const auto hope = [&](const Decoded& text) {
    return text.log_probability / std::pow(static_cast<double>(options.longest), options.length_penalty);
  };

  std::vector<Decoded> ended, going(1);
  std::vector<std::int64_t> last = {options.begin};
  for (Size step = 0; step < options.longest && !going.empty(); ++step) {
    const std::vector<double> scores = answer(model, last);
    check_falling(scores, going.size());
    const std::size_t symbols = scores.size() / going.size();
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double total = going[i / symbols].log_probability + scores[i];
      if (!(total > -std::numeric_limits<double>::infinity())) continue;
      candidates.push_back({static_cast<Size>(i / symbols), static_cast<std::int64_t>(i % symbols), total});
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.log_probability > b.log_probability; });
    candidates.resize(std::min(candidates.size(), beam));

    std::vector<Decoded> next;
    std::vector<std::int64_t> rows;
    last.clear();
    for (const Candidate& candidate : candidates) {
      Decoded text = going[static_cast<std::size_t>(candidate.row)];
      text.log_probability = candidate.log_probability;
      text.ended = candidate.symbol == options.end;
      if (text.ended) {
        ended.push_back(text);
        continue;
      }
      text.symbols.push_back(candidate.symbol);
      next.push_back(text);
      rows.push_back(candidate.row);
      last.push_back(candidate.symbol);
    }
    going = next;
    std::stable_sort(ended.begin(), ended.end(), better);
    ended.resize(std::min(ended.size(), beam));
    const bool full = ended.size() == beam;
    if (going.empty() || (full && score(ended.back(), options) >= hope(going.front()))) break;
    if (model.keep && step + 1 < options.longest) {
      model.keep(Tensor::from_ints(rows, {static_cast<Size>(rows.size())}));
    }
  }
  if (ended.size() < beam) {  // what was cut
    ended.insert(ended.end(), going.begin(), going.end());
    std::stable_sort(ended.begin(), ended.end(), better);
    ended.resize(std::min(ended.size(), beam));
  }
  return ended;
}

}  // namespace attend
