// Wrong answers to exercise 1, each with the bug that the check must name.
#include <algorithm>
#include <numeric>

#include "tutorials/14_hashing/exercise_1_meet.hpp"

namespace attend::chapter14 {
namespace {

enum class Slip {
  none,
  half_the_buckets,
  no_sign,
  smallest,
  unsorted,
  latest_first,
  itself,
  own_chunk,
  chunk_after,
  around,
  same_bucket
};

// The solution, with one slip.
template <Slip slip>
Sees slipped(const Tensor& queries, const Tensor& rotation, Size chunk) {
  const auto T = static_cast<std::size_t>(queries.shape()[0]), length = static_cast<std::size_t>(chunk);
  const std::size_t chunks = (T + length - 1) / length;
  Sees sees(T, std::vector<bool>(T, false));
  const Tensor rotated = kernel::matmul(queries, rotation), opposite = kernel::affine(rotated, -1, 0);
  Tensor both = kernel::concat({rotated, opposite}, -1);
  if (slip == Slip::half_the_buckets) both = rotated;
  if (slip == Slip::no_sign) both = kernel::abs(rotated);
  if (slip == Slip::smallest) both = kernel::affine(both, -1, 0);
  const std::vector<std::int64_t> bucket = kernel::argmax(both, -1, false).to_ints();
  std::vector<std::size_t> order(T);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (slip == Slip::latest_first) std::reverse(order.begin(), order.end());
  const auto before = [&](std::size_t i, std::size_t j) { return bucket[i] < bucket[j]; };
  if (slip != Slip::unsorted) std::stable_sort(order.begin(), order.end(), before);
  for (std::size_t a = 0; a < T; ++a) {
    for (std::size_t b = 0; b < T; ++b) {
      const std::size_t of_query = a / length, of_key = b / length, i = order[a], j = order[b];
      bool near = of_key == of_query || of_key + 1 == of_query;
      if (slip == Slip::own_chunk) near = of_key == of_query;
      if (slip == Slip::chunk_after) near = of_key == of_query || of_key == of_query + 1;
      if (slip == Slip::around) near = near || of_key == (of_query + chunks - 1) % chunks;
      if (slip == Slip::same_bucket) near = near && bucket[i] == bucket[j];
      sees[i][j] = near && (slip == Slip::itself || a != b);
    }
  }
  return sees;
}

Sees unsolved(const Tensor& queries, const Tensor&, Size) {
  const auto T = static_cast<std::size_t>(queries.shape()[0]);
  return Sees(T, std::vector<bool>(T, false));
}
Sees one_row(const Tensor& queries, const Tensor& rotation, Size chunk) {
  return {slipped<Slip::none>(queries, rotation, chunk)[0]};
}

}  // namespace

std::vector<MeetAnswer> meet_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"one row alone", one_row, "T rows of T"},
      {"only x R", slipped<Slip::half_the_buckets>, "half of the buckets"},
      {"|x R|", slipped<Slip::no_sign>, "opposite directions"},
      {"the smallest", slipped<Slip::smallest>, "argmin"},
      {"not sorted", slipped<Slip::unsorted>, "never sorted"},
      {"the latest first in a bucket", slipped<Slip::latest_first>, "the earlier position first"},
      {"itself", slipped<Slip::itself>, "sees itself"},
      {"the own chunk alone", slipped<Slip::own_chunk>, "own chunk alone"},
      {"the chunk after", slipped<Slip::chunk_after>, "chunk after"},
      {"around", slipped<Slip::around>, "back at the last"},
      {"the own bucket alone", slipped<Slip::same_bucket>, "whatever its bucket"},
  };
}

}  // namespace attend::chapter14
