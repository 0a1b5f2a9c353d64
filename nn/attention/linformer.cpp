#include "nn/attention/linformer.hpp"

#include <cmath>
#include <stdexcept>

#include "nn/init.hpp"

namespace attend {

LinformerAttention::LinformerAttention(Size T, Size k, Rng& rng, bool share_projections) {
  if (k < 1 || k > T) {
    throw std::invalid_argument("Linformer: " + std::to_string(k) + " projected keys of " + std::to_string(T) +
                                " positions; 1 to that many");
  }
  const double deviation = 1 / std::sqrt(static_cast<double>(k));
  E = normal_init({k, T}, 0, deviation, rng);
  if (!share_projections) F = normal_init({k, T}, 0, deviation, rng);
}

Attended LinformerAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("Linformer", q, k, v);
  const Size T = q.shape()[2];
  if (T != E.shape()[1]) {
    throw std::invalid_argument("Linformer: made for " + std::to_string(E.shape()[1]) + " positions, not " +
                                std::to_string(T) + "; pad to that length, with padding_mask");
  }
  if (key_mask("Linformer", mask, T, T).causal) {
    throw std::invalid_argument("Linformer: it mixes positions, so it has no causal form");
  }
  const Var keys = matmul(E, hide_invisible(k, mask));                      // [B, H, k, d]
  const Var values = matmul(F.defined() ? F : E, hide_invisible(v, mask));  // [B, H, k, dv]
  return {scaled_dot_attention(q, keys, values).context, Var()};
}

void LinformerAttention::parameters(const Visit& visit) {
  visit("E", E);
  visit("F", F);
}

Size linformer_multiplications(Size T, Size d, Size k) {
  return 4 * T * k * d + T * k + T * d;  // two projections and two products, the division of the softmax, the scale
}

}  // namespace attend
