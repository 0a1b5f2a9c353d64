// What every sparse attention is held against: softmax attention, in plain loops, over the pairs that its paper names.
#pragma once
#include "nn/attention/core.hpp"
#include "tests/nn/attention/by_hand.hpp"

namespace attend::test {

/// Whether query i sees key j.
using Sees = std::function<bool(Size i, Size j)>;

/// One head of x [B, H, T, d]: [B, T, d].
inline Tensor head(const Tensor& x, Size h) { return squeeze(slice(x, 1, h, 1), {1}); }

/// The core sums, for each mask that it takes, the values of exactly the keys that sees(i, j) names.
inline void check_pattern(const AttentionCore& core, Size T, bool takes_causal, const Sees& sees) {
  CAPTURE(T);
  const Tensor q = random({2, 2, T, 4}, DType::float64, 1), k = random({2, 2, T, 4}, DType::float64, 2),
               v = random({2, 2, T, 5}, DType::float64, 3);
  std::vector<MaskMode> modes = {{"no mask", Mask(), [](Size, Size, Size) { return true; }},
                                 {"padding, of one sequence everything", padding_mask({0, (T + 1) / 2}, T),
                                  [=](Size b, Size, Size j) { return b == 1 && j < (T + 1) / 2; }}};
  if (takes_causal) {
    modes.push_back({"causal", causal_mask(T, T), [](Size, Size i, Size j) { return j <= i; }});
    modes.push_back({"causal and padding", causal_mask(T, T) & padding_mask({T, T / 2}, T),
                     [=](Size b, Size i, Size j) { return j <= i && (b == 0 || j < T / 2); }});
  }
  for (const MaskMode& mode : modes) {
    CAPTURE(mode.name);
    const Tensor found = core(q, k, v, mode.mask).context.value();
    const Allowed allowed = [&](Size b, Size i, Size j) { return mode.allowed(b, i, j) && sees(i, j); };
    for (Size h : {0, 1}) {
      const Tensor expected = attend_by_hand(head(q, h), head(k, h), head(v, h), 0.5, allowed).context;  // 1 / √4
      check_agree(head(found, h), expected, 1e-13);
    }
  }
}

/// Which keys a query has a weight for, in the first head of the first sequence: [T][T].
inline std::vector<std::vector<bool>> pairs_seen(const AttentionCore& core, Size T, const Mask& mask = {}) {
  const Var map = attention_map(core, random({1, 1, T, 4}), random({1, 1, T, 4}, DType::float64, 2), mask);
  std::vector<std::vector<bool>> seen;
  for (Size i = 0; i < T; ++i) {
    seen.emplace_back();
    for (Size j = 0; j < T; ++j) seen.back().push_back(map.value().at({0, 0, i, j}) > 0);
  }
  return seen;
}

}  // namespace attend::test
