#include "tutorials/lesson/translation/batch.hpp"

#include <algorithm>
#include <stdexcept>

#include "tutorials/lesson/size.hpp"

namespace attend::translation {

Batch batch_of(const Vocabulary& vocabulary, const std::vector<Tokens>& texts, Enclose enclose) {
  std::vector<Ids> rows;
  Ids lengths;
  for (const Tokens& text : texts) {
    Ids row = vocabulary.encode(text);
    if (enclose == Enclose::begin_and_end) {
      row.insert(row.begin(), Vocabulary::begin);
      row.push_back(Vocabulary::end);
    }
    lengths.push_back(lesson::size_of(row));
    rows.push_back(std::move(row));
  }
  const Size longest = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  if (longest == 0) throw std::invalid_argument("batch_of: no token in " + std::to_string(texts.size()) + " texts");

  Ids ids;
  for (Ids& row : rows) {
    row.resize(static_cast<std::size_t>(longest), Vocabulary::pad);
    ids.insert(ids.end(), row.begin(), row.end());
  }
  const Size count = lesson::size_of(rows);
  return {Tensor::from_ints(ids, {count, longest}), Tensor::from_ints(lengths, {count})};
}

std::vector<std::vector<Size>> buckets(const std::vector<Size>& lengths, Size batch_size, Rng& rng, Size pool) {
  if (batch_size < 1 || pool < 1) {
    throw std::invalid_argument("buckets: batches of " + std::to_string(batch_size) + ", pools of " +
                                std::to_string(pool));
  }
  const Size count = lesson::size_of(lengths);
  std::vector<std::vector<Size>> batches;
  std::vector<std::int64_t> order = rng.permutation(count);
  for (Size start = 0; start < count; start += batch_size * pool) {
    const auto begin = order.begin() + start, end = order.begin() + std::min(count, start + batch_size * pool);
    std::stable_sort(begin, end, [&](std::int64_t a, std::int64_t b) {
      return lengths[static_cast<std::size_t>(a)] < lengths[static_cast<std::size_t>(b)];
    });
    for (auto at = begin; at < end;) {
      const auto next = at + std::min<Size>(batch_size, end - at);
      batches.emplace_back(at, next);
      at = next;
    }
  }
  std::vector<std::vector<Size>> mixed;
  for (const std::int64_t i : rng.permutation(lesson::size_of(batches))) {
    mixed.push_back(std::move(batches[static_cast<std::size_t>(i)]));
  }
  return mixed;
}

}  // namespace attend::translation
