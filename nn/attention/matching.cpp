#include "nn/attention/matching.hpp"

#include <cmath>
#include <stdexcept>

namespace attend {
namespace {

void check_sharpness(const char* op, double sharpness) {
  if (sharpness > 0 && std::isfinite(sharpness)) return;
  throw std::invalid_argument(std::string(op) + ": a sharpness of " + std::to_string(sharpness) +
                              "; it must be positive and finite");
}

}  // namespace

Attended matching_read_out(const Var& query, const Var& support, const Var& labels, double sharpness,
                           const Mask& mask) {
  check_sharpness("matching read-out", sharpness);
  return dot_attention(sharpness * unit_length(query), unit_length(hide_invisible(support, mask)), labels, mask);
}

CosineAttention::CosineAttention(double any_sharpness) : sharpness(any_sharpness) {
  check_sharpness("cosine attention", sharpness);
}

Attended CosineAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("cosine attention", q, k, v);
  return matching_read_out(q, k, v, sharpness, mask);
}

}  // namespace attend
