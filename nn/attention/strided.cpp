#include "nn/attention/strided.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "nn/attention/gathered.hpp"

namespace attend {
namespace {

Size divided_up(Size T, Size l) { return (T + l - 1) / l; }

// With a stride of T or more every position is within the window, and the last column is as short as the first.
Size within(Size T, Size l) { return std::max<Size>(1, std::min(T, l)); }

// The positions r, r + l, r + 2l, ... for each residue r; those beyond T are nobody.
std::vector<Positions> columns(Size T, Size l) {
  std::vector<Positions> all;
  for (Size r = 0; r < l; ++r) all.push_back(positions(r, divided_up(T, l), l));
  return all;
}

}  // namespace

StridedAttention::StridedAttention(Size l) : stride(l) {
  if (stride >= 1) return;
  throw std::invalid_argument("strided attention: a stride of " + std::to_string(stride) + "; it is 1 or more, as √T");
}

Attended StridedAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("strided attention", q, k, v);
  const Size T = q.shape()[2], l = within(T, stride);
  const bool causal = key_mask("strided attention", mask, T, T).causal;
  const auto in_window = [&](Size i, Size j) { return std::abs(i - j) <= l && (!causal || j <= i); };
  const auto in_column = [&](Size i, Size j) { return std::abs(i - j) > l && (!causal || j <= i); };
  const Groups window(T, blocks(T, l), blocks(T, l, l, causal ? 0 : l), in_window);
  const Groups column(T, columns(T, l), columns(T, l), in_column);
  return {attend_in_looks(q, k, v, mask, {window, column}), Var()};
}

FixedAttention::FixedAttention(Size l, Size c) : block(l), speakers(c) {
  if (block >= 1 && speakers >= 1 && speakers <= block) return;
  throw std::invalid_argument("fixed attention: " + std::to_string(speakers) + " of a block of " +
                              std::to_string(block) + " speak for it; it is at least 1, and not more than there are");
}

Attended FixedAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("fixed attention", q, k, v);
  const Size T = q.shape()[2];
  const bool causal = key_mask("fixed attention", mask, T, T).causal;
  std::vector<Positions> seen = blocks(T, block);
  for (Positions& keys : seen) {
    for (Size first = 0; first < T; first += block) {
      for (Size j = first + block - speakers; j < first + block; ++j) keys.push_back(j);
    }
  }
  const Groups groups(T, blocks(T, block), seen, [&](Size i, Size j) { return !causal || j <= i; });
  return {attend_in_parts(q, k, v, mask, {groups}), Var()};
}

Size strided_multiplications(Size T, Size d, Size stride) {
  const Size l = within(T, stride), rows = divided_up(T, l);
  const Size in_window = 3 * l, in_column = rows;  // keys that a query is compared with
  // Two products of both, of a softmax over both the division, the scale.
  return 2 * rows * l * (in_window + in_column) * d + T * (in_window + in_column) + T * d;
}

Size fixed_multiplications(Size T, Size d, Size block, Size speakers) {
  const Size count = divided_up(T, block);
  return attention_multiplications(T, d, count * block * (block + count * speakers));
}

}  // namespace attend
