#include "nn/attention/big_bird.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "nn/attention/gathered.hpp"

namespace attend {
namespace {

void check(Size positions, const BigBirdOptions& how) {
  if (positions >= 1 && how.block >= 1 && how.window >= 0 && how.random >= 0 && how.global >= 0) return;
  throw std::invalid_argument("BigBird: " + std::to_string(positions) + " positions in blocks of " +
                              std::to_string(how.block) + "; a window of " + std::to_string(how.window) +
                              " on each side, " + std::to_string(how.random) + " random and " +
                              std::to_string(how.global) + " global ones");
}

Size block_count(Size T, const BigBirdOptions& how) { return (T + how.block - 1) / how.block; }

// No more can be drawn, and no more can be global, than there are.
BigBirdOptions within(Size T, BigBirdOptions how) {
  const Size count = block_count(T, how);
  how.random = std::min(how.random, count);
  how.global = std::min(how.global, count);
  how.window = std::min(how.window, count);
  return how;
}

// For each block `random` of those that it does not see by its window or as global ones.
Tensor drawn_blocks(Size count, const BigBirdOptions& how, Rng& rng) {
  std::vector<std::int64_t> drawn;
  for (Size block = 0; block < count; ++block) {
    Size left = how.random;
    for (std::int64_t other : rng.permutation(count)) {
      const bool seen_anyway = std::abs(other - block) <= how.window || other < how.global;
      if (seen_anyway || left == 0) continue;
      drawn.push_back(other);
      --left;
    }
    drawn.insert(drawn.end(), static_cast<std::size_t>(left), -1);
  }
  return Tensor::from_ints(drawn, {count, how.random});
}

// The blocks of keys that the queries of one block see, −1 and beyond the last: nobody.
Positions seen_by(Size block, const BigBirdOptions& how, const std::vector<std::int64_t>& drawn) {
  Positions seen = positions(block - how.window, 2 * how.window + 1);
  for (Size i = 0; i < how.random; ++i) seen.push_back(drawn[static_cast<std::size_t>(block * how.random + i)]);
  for (Size first = 0; first < how.global; ++first) seen.push_back(first);
  return seen;
}

}  // namespace

BigBirdAttention::BigBirdAttention(Size positions, const BigBirdOptions& how, Rng& rng) : options(how) {
  check(positions, how);
  options = within(positions, how);
  drawn = drawn_blocks(block_count(positions, how), options, rng);
}

Attended BigBirdAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("BigBird", q, k, v);
  const Size T = q.shape()[2], length = options.block, count = block_count(T, options);
  if (count > drawn.shape()[0]) {
    throw std::invalid_argument("BigBird: " + std::to_string(T) + " positions, drawn for " +
                                std::to_string(drawn.shape()[0] * length) + " at most");
  }
  check_not_causal("BigBird", mask, T);
  const std::vector<std::int64_t> drawn_in_a_row = drawn.to_ints();
  const auto all = [](Size, Size) { return true; };  // of what a block reads

  std::vector<Positions> queries, keys;
  for (Size block = options.global; block < count; ++block) {
    queries.push_back(positions(block * length, length));
    keys.emplace_back();
    for (Size seen : seen_by(block, options, drawn_in_a_row)) {
      for (Size j : positions(seen * length, length)) keys.back().push_back(j);
    }
  }
  std::vector<Groups> parts;
  const Size global = std::min(T, options.global * length);
  if (global > 0) parts.emplace_back(T, blocks(global, global), blocks(T, T), all);
  if (!queries.empty()) parts.emplace_back(T, queries, keys, all);
  return {attend_in_parts(q, k, v, mask, parts), Var()};
}

Size big_bird_multiplications(Size T, Size d, const BigBirdOptions& options) {
  const BigBirdOptions how = within(T, options);
  const Size seen = (2 * how.window + 1 + how.random + how.global) * how.block;
  const Size others = (block_count(T, how) - how.global) * how.block, global = std::min(T, how.global * how.block);
  return attention_multiplications(T, d, others * seen + global * T);
}

}  // namespace attend
