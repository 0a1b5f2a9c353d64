#include "tutorials/lesson/translation/batch.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

#include "tutorials/lesson/size.hpp"

using namespace attend;
using namespace attend::translation;

TEST_CASE("texts of different lengths become one padded tensor") {
  const Vocabulary vocabulary(Tokens{"a", "b"});
  const Batch batch = batch_of(vocabulary, {{"a", "b", "a"}, {"b"}});
  CHECK(batch.ids.shape() == Shape{2, 3});
  CHECK(batch.ids.dtype() == DType::int64);
  CHECK(batch.ids.to_ints() == Ids{4, 5, 4, 5, 0, 0});
  CHECK(batch.lengths.shape() == Shape{2});
  CHECK(batch.lengths.to_ints() == Ids{3, 1});
}

TEST_CASE("a decoder reads a row without its last column and writes it without its first") {
  const Vocabulary vocabulary(Tokens{"a", "b"});
  const Batch batch = batch_of(vocabulary, {{"a", "b"}, {"b"}, {}}, Enclose::begin_and_end);
  CHECK(batch.lengths.to_ints() == Ids{4, 3, 2});
  CHECK(contiguous(slice(batch.ids, 1, 0, 3)).to_ints() == Ids{1, 4, 5, 1, 5, 2, 1, 2, 0});
  CHECK(contiguous(slice(batch.ids, 1, 1, 3)).to_ints() == Ids{4, 5, 2, 5, 2, 0, 2, 0, 0});
}

TEST_CASE("a batch of nothing is refused") {
  const Vocabulary vocabulary(Tokens{"a"});
  CHECK_THROWS_AS(batch_of(vocabulary, {}), std::invalid_argument);
  CHECK_THROWS_AS(batch_of(vocabulary, {{}, {}}), std::invalid_argument);
}

TEST_CASE("buckets hold every text once, and texts of similar length together") {
  Rng rng(1);
  std::vector<Size> lengths;
  for (int i = 0; i < 1003; ++i) lengths.push_back(5 + rng.below(30));
  const auto batches = buckets(lengths, 10, rng);
  CHECK(batches.size() == 101);

  std::vector<Size> met;
  Size padded = 0, total = 0;
  for (const auto& batch : batches) {
    Size longest = 0;
    for (const Size i : batch) {
      met.push_back(i);
      longest = std::max(longest, lengths[static_cast<std::size_t>(i)]);
      total += lengths[static_cast<std::size_t>(i)];
    }
    CHECK(lesson::size_of(batch) <= 10);
    padded += longest * lesson::size_of(batch);
  }
  std::sort(met.begin(), met.end());
  REQUIRE(met.size() == lengths.size());
  for (Size i = 0; i < lesson::size_of(met); ++i) CHECK(met[static_cast<std::size_t>(i)] == i);
  CHECK(padded - total < total / 10);  // of random batches it is more than half
}

TEST_CASE("buckets are the same for the same seed, and in another order for the next pass") {
  const std::vector<Size> lengths = {3, 9, 4, 1, 1, 5, 9, 2, 6, 5, 3, 5};
  Rng one(1), other(1);
  const auto first = buckets(lengths, 2, one);
  CHECK(first == buckets(lengths, 2, other));
  CHECK(first != buckets(lengths, 2, one));
  CHECK(buckets({}, 2, one).empty());
  CHECK_THROWS_AS(buckets(lengths, 0, one), std::invalid_argument);
  CHECK_THROWS_AS(buckets(lengths, 2, one, 0), std::invalid_argument);
}
