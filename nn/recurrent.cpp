#include "nn/recurrent.hpp"

#include <cmath>
#include <stdexcept>

namespace attend {
namespace {

void check_lengths(const char* op, const std::vector<Size>& lengths, Size B, Size T) {
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
}

// [B, T, 1]: true within each sequence.
Tensor inside_mask(const std::vector<Size>& lengths, Size T) {
  std::vector<bool> inside;
  for (Size length : lengths) {
    for (Size t = 0; t < T; ++t) inside.push_back(t < length);
  }
  return Tensor::from_bools(inside, {static_cast<Size>(lengths.size()), T, 1});
}

}  // namespace

Size checked_hidden(const char* op, Size input, Size hidden) {
  if (input >= 1 && hidden >= 1) return hidden;
  throw std::invalid_argument(std::string(op) + ": sizes input " + std::to_string(input) + " and hidden " +
                              std::to_string(hidden) + " must be positive");
}

Var recurrent_init(const Shape& shape, Size hidden, Rng& rng) {
  const double bound = 1 / std::sqrt(static_cast<double>(hidden));
  return uniform_init(shape, -bound, bound, rng);
}

TimeSteps::TimeSteps(const char* op, const Var& x, const Var& weight, const Var& bias, const std::vector<Size>& lengths,
                     Direction direction)
    : direction_(direction) {
  const auto [B, T, D] = dims<3>(x, op);
  if (T == 0) throw std::invalid_argument(std::string(op) + ": x " + text(x.shape()) + " has no time steps");
  if (D != weight.shape()[0]) {
    throw std::invalid_argument(std::string(op) + ": x " + text(x.shape()) + " does not fit the weight " +
                                text(weight.shape()));
  }
  Var clean = x;
  if (!lengths.empty()) {
    check_lengths(op, lengths, B, T);
    const Tensor inside = inside_mask(lengths, T);  // [B, T, 1]
    clean = where(inside, x, Tensor::zeros({}, x.dtype()));
    for (Size t = 0; t < T; ++t) inside_.push_back(squeeze(slice(inside, 1, t, 1), {1}));
  }
  projected_ = unstack(linear(clean, weight, bias), 1);
}

}  // namespace attend
