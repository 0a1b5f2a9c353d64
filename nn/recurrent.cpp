#include "nn/recurrent.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attend {

Var recurrent_init(const Shape& shape, Size hidden, Rng& rng) {
  const double bound = 1 / std::sqrt(static_cast<double>(hidden));
  return uniform_init(shape, -bound, bound, rng);
}

std::vector<Tensor> step_masks(const char* op, const std::vector<Size>& lengths, Size B, Size T) {
  if (lengths.empty()) return {};
  if (static_cast<Size>(lengths.size()) != B) {
    throw std::invalid_argument(std::string(op) + ": " + std::to_string(lengths.size()) + " lengths for a batch of " +
                                std::to_string(B));
  }
  for (Size length : lengths) {
    if (length < 0 || length > T) {
      throw std::invalid_argument(std::string(op) + ": length " + std::to_string(length) + " with " +
                                  std::to_string(T) + " time steps");
    }
  }
  std::vector<Tensor> masks;
  for (Size t = 0; t < T; ++t) {
    std::vector<bool> inside;
    for (Size length : lengths) inside.push_back(t < length);
    masks.push_back(Tensor::from_bools(inside, {B, 1}));
  }
  return masks;
}

Var hide_padding(const Var& x, const std::vector<Size>& lengths) {
  const Size T = x.shape()[1];
  if (std::all_of(lengths.begin(), lengths.end(), [T](Size length) { return length == T; })) return x;
  std::vector<bool> inside;
  for (Size length : lengths) {
    for (Size t = 0; t < T; ++t) inside.push_back(t < length);
  }
  return where(Tensor::from_bools(inside, {x.shape()[0], T, 1}), x, Tensor::zeros({}, x.dtype()));
}

}  // namespace attend
