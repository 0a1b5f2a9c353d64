#include "nn/attention/self_attention.hpp"

namespace attend {

SelfAttention::SelfAttention(Size size, Rng& rng)
    : queries(size, size, rng, false),
      keys(size, size, rng, false),
      values(size, size, rng, false),
      output(size, size, rng) {}

Attended SelfAttention::operator()(const Var& x, const Mask& mask) const {
  const Var there = hide_invisible(x, mask);  // not even a NaN in the padding is projected
  const Attended seen = scaled_dot_attention(queries(there), keys(there), values(there), {mask});
  return {output(seen.context), seen.weights};
}

void SelfAttention::parameters(const Visit& visit) {
  visit("queries", queries);
  visit("keys", keys);
  visit("values", values);
  visit("output", output);
}

}  // namespace attend
