#include "nn/attention/local.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "nn/attention/blocks.hpp"

namespace attend {

LocalAttention::LocalAttention(Size keys_before, Size keys_after) : before(keys_before), after(keys_after) {
  if (before >= 0 && after >= 0) return;
  throw std::invalid_argument("local attention: a window of " + std::to_string(before) + " keys before and " +
                              std::to_string(after) + " after");
}

Attended LocalAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("local attention", q, k, v);
  const Size T = q.shape()[2];
  const KeyMask seen = key_mask("local attention", mask, T, T);
  const Blocks blocks(T, std::min(before, T), seen.causal ? 0 : std::min(after, T));

  const Tensor allowed = allowed_beside_blocks(seen.keys, blocks);  // [B or 1, 1, blocks, length, reach]
  const double scale = 1 / std::sqrt(static_cast<double>(q.shape()[3]));
  const Var near = beside_blocks(hide_invisible(k, mask), blocks);  // [B, H, blocks, d, reach]
  const Var weights =
      masked_softmax(matmul(in_blocks(scale * q, blocks), near), allowed);       // [B, H, blocks, length, reach]
  const Var values = transpose(beside_blocks(hide_invisible(v, mask), blocks));  // [B, H, blocks, reach, dv]
  const Var context = matmul(weights, values);                                   // [B, H, blocks, length, dv]
  return {out_of_blocks(context, blocks), Var()};
}

Size local_multiplications(Size T, Size d, Size before, Size after) {
  const Blocks blocks(T, std::min(before, T), std::min(after, T));
  return attention_multiplications(T, d, blocks.padded() * blocks.reach);
}

}  // namespace attend
