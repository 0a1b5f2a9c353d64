// Exercise 1: who meets whom? One round of hashing:
//
//   h(x)      argmax of [x R ; −x R]              R [d, buckets / 2], so that the row is [buckets]
//   order     the positions sorted by (bucket, position)
//   chunks    the sorted positions, `chunk` at a time; the last chunk may be shorter
//   sees      query i sees the keys of its own chunk and of the one before, but not itself; before the first chunk
//             there is nothing
//
// Useful:
//   kernel::matmul(a, b)                   [T, d] · [d, n] -> [T, n]
//   kernel::affine(x, -1, 0)               −x
//   kernel::concat({a, b}, axis)
//   kernel::argmax(x, axis, false)         int64; .to_ints() gives a std::vector<std::int64_t>
//   std::iota(order.begin(), order.end(), 0), std::stable_sort(order.begin(), order.end(), before)
#include "tutorials/14_hashing/exercise_1_meet.hpp"

#include <algorithm>
#include <numeric>

namespace attend::chapter14 {
namespace {

Sees your_meeting(const Tensor& queries, const Tensor& rotation, Size chunk) {
  const auto T = static_cast<std::size_t>(queries.shape()[0]), length = static_cast<std::size_t>(chunk);
  Sees sees(T, std::vector<bool>(T, false));
  // Your lines go here. At the end sees[i][j] is true where query i sees key j.

  (void)rotation, (void)length;
  return sees;
}

}  // namespace

std::vector<MeetAnswer> meet_answers() { return {{"yours", your_meeting}}; }

}  // namespace attend::chapter14
