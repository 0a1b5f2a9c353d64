#include "nn/attention/global_tokens.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <utility>

namespace attend {
namespace {

// Blocks as long as the window, as in local attention.
Size block_length(Size T, Size window) { return std::max<Size>(1, std::min(T, 2 * window)); }

}  // namespace

GlobalTokenAttention::GlobalTokenAttention(Size side, Positions tokens) : window(side), global(std::move(tokens)) {
  if (window < 0) {
    throw std::invalid_argument("global tokens: a window of " + std::to_string(window) + " keys on each side");
  }
  std::set<Size> named;
  for (Size token : global) {
    if (token >= 0 && named.insert(token).second) continue;
    throw std::invalid_argument("global tokens: token " + std::to_string(token) +
                                "; they count from 0, and each is named once");
  }
}

Attended GlobalTokenAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("global tokens", q, k, v);
  const Size T = q.shape()[2], side = std::min(window, T), length = block_length(T, side);
  check_not_causal("global tokens", mask, T);
  std::vector<bool> is_global(static_cast<std::size_t>(T));
  for (Size token : global) {
    if (token >= T) {
      throw std::invalid_argument("global tokens: token " + std::to_string(token) + " of " + std::to_string(T));
    }
    is_global[static_cast<std::size_t>(token)] = true;
  }
  const auto among_global = [&](Size i) { return is_global[static_cast<std::size_t>(i)]; };
  const auto sees = [&](Size i, Size j) { return std::abs(i - j) <= side || among_global(j) || among_global(i); };

  std::vector<Positions> others = blocks(T, length), near = blocks(T, length, side, side);
  for (Positions& block : others) {
    for (Size& i : block) i = i < T && among_global(i) ? -1 : i;  // answered below
  }
  for (Positions& keys : near) keys.insert(keys.end(), global.begin(), global.end());
  std::vector<Groups> parts = {Groups(T, others, near, sees)};
  if (!global.empty()) parts.emplace_back(T, std::vector<Positions>{global}, blocks(T, T), sees);
  return {attend_in_parts(q, k, v, mask, parts), Var()};
}

Size global_token_multiplications(Size T, Size d, Size window, Size global) {
  const Size side = std::min(window, T), length = block_length(T, side);
  const Size padded = (T + length - 1) / length * length;
  return attention_multiplications(T, d, padded * (side + length + side + global) + global * T);
}

}  // namespace attend
