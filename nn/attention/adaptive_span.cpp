#include "nn/attention/adaptive_span.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "nn/attention/blocks.hpp"
#include "nn/attention/local.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

// How far query p of a block is from key j beside it, in ramps: [length, reach].
Tensor distances(const Blocks& blocks, double ramp, DType dtype) {
  std::vector<double> values;
  for (Size p = 0; p < blocks.length; ++p) {
    for (Size j = 0; j < blocks.reach; ++j) {
      values.push_back(static_cast<double>(std::abs(p + blocks.before - j)) / ramp);
    }
  }
  return Tensor::from(values, {blocks.length, blocks.reach}, dtype);
}

}  // namespace

AdaptiveSpan::AdaptiveSpan(Size heads, Size most, double ramp_length, double initial)
    : ramp(ramp_length), largest(most) {
  const std::string what = "adaptive span: ";
  if (heads < 1) throw std::invalid_argument(what + std::to_string(heads) + " heads; it needs 1 at least");
  if (!(ramp > 0) || std::isinf(ramp)) {
    throw std::invalid_argument(what + "a ramp of " + std::to_string(ramp) + " keys; it must be positive and finite");
  }
  if (largest < 0 || !(initial >= 0 && initial <= static_cast<double>(largest))) {
    throw std::invalid_argument(what + "a span of " + std::to_string(initial) + " at first, outside 0 .. " +
                                std::to_string(largest));
  }
  span = Var::parameter(Tensor::full({heads}, initial));
}

Attended AdaptiveSpan::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("adaptive span", q, k, v);
  const Size heads = span.size(), T = q.shape()[2], window = std::min(largest, T);
  if (heads != 1 && heads != q.shape()[1]) {
    throw std::invalid_argument("adaptive span: " + std::to_string(heads) + " spans for the heads of " +
                                text(q.shape()) + "; make one for each, or one for all");
  }
  const KeyMask seen = key_mask("adaptive span", mask, T, T);
  const Blocks blocks(T, window, seen.causal ? 0 : window);

  const Var z = reshape(clamp(span, 0, static_cast<double>(largest)), {heads, 1, 1, 1});
  const Var m = clamp((z + ramp) / ramp - distances(blocks, ramp, q.dtype()), 0, 1);  // [heads, 1, length, reach]
  // Scores that the ramp hides take no part in the softmax either: all that is left could underflow beside them.
  const Tensor allowed = kernel::logical_and(allowed_beside_blocks(seen.keys, blocks), m > 0.0);

  const double scale = 1 / std::sqrt(static_cast<double>(q.shape()[3]));
  const Var near = beside_blocks(hide_invisible(k, mask), blocks);  // [B, H, blocks, d, reach]
  const Var soft =
      m * masked_softmax(matmul(in_blocks(scale * q, blocks), near), allowed);  // [B, H, blocks, length, reach]
  const Var weights = divided_by_total(soft, sum(soft, {-1}, true));
  const Var values = transpose(beside_blocks(hide_invisible(v, mask), blocks));  // [B, H, blocks, reach, dv]
  return {out_of_blocks(matmul(weights, values), blocks), Var()};
}

void AdaptiveSpan::clamp_span() { span = Var::parameter(kernel::clamp(span.value(), 0, static_cast<double>(largest))); }

Size adaptive_span_multiplications(Size T, Size d, Size largest) {
  const Blocks blocks(T, std::min(largest, T), std::min(largest, T));
  // Beside the local window: the ramp of each weight, their division by the sum, and the span in ramps.
  return local_multiplications(T, d, largest, largest) + 2 * blocks.padded() * blocks.reach + 1;
}

}  // namespace attend
