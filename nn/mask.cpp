#include "nn/mask.hpp"

#include <stdexcept>

#include "tensor/kernels.hpp"

namespace attend {
namespace {

// The mask with allowed(i, j) for query i and key j; j counts from the key that is aligned with query 0.
template <class Allowed>
Mask mask_of(const char* op, Size Tq, Size Tk, Allowed allowed) {
  if (Tq < 0 || Tk < 0) {
    throw std::invalid_argument(std::string(op) + ": " + std::to_string(Tq) + " queries and " + std::to_string(Tk) +
                                " keys");
  }
  std::vector<bool> values;
  for (Size i = 0; i < Tq; ++i) {
    for (Size j = 0; j < Tk; ++j) values.push_back(allowed(i, j - (Tk - Tq)));
  }
  return Mask(Tensor::from_bools(values, {Tq, Tk}));
}

}  // namespace

Mask::Mask(const Tensor& allowed) {
  if (allowed.dtype() != DType::boolean || allowed.rank() < 2 || allowed.rank() > 4) {
    throw std::invalid_argument(std::string("mask: ") + text(allowed.dtype()) + " " + text(allowed.shape()) +
                                "; it is bool [Tq, Tk], [B, Tq, Tk] or [B, H, Tq, Tk]");
  }
  allowed_ = allowed;
  if (allowed_.rank() == 2) allowed_ = unsqueeze(allowed_, 0);
  if (allowed_.rank() == 3) allowed_ = unsqueeze(allowed_, 1);
}

Tensor Mask::for_scores(const Shape& scores) const {
  if (allows_all()) return Tensor::ones(Sizes::repeat(scores.size(), 1), DType::boolean);
  const bool one_head = scores.size() == 3;
  bool fits = scores.size() == 3 || scores.size() == 4;
  for (Size i = 0; fits && i < 4; ++i) {
    const Size size = i == 1 && one_head ? 1 : scores[one_head && i > 1 ? i - 1 : i];
    fits = allowed_.shape()[i] == 1 || allowed_.shape()[i] == size;
  }
  if (!fits) {
    throw std::invalid_argument("mask: " + text(allowed_.shape()) + " does not fit scores " + text(scores));
  }
  return one_head ? squeeze(allowed_, {1}) : allowed_;
}

Tensor Mask::visible_keys() const {
  return kernel::any(kernel::any(allowed_, 2, false), 1, false);  // [B, H, Tk] -> [B, Tk]
}

Mask operator&(const Mask& a, const Mask& b) {
  if (a.allows_all()) return b;
  if (b.allows_all()) return a;
  return Mask(kernel::logical_and(a.allowed(), b.allowed()));
}

Mask causal_mask(Size Tq, Size Tk) {
  return mask_of("causal_mask", Tq, Tk, [](Size i, Size j) { return j <= i; });
}

Mask band_mask(Size Tq, Size Tk, Size before, Size after) {
  if (before < 0 || after < 0) {
    throw std::invalid_argument("band_mask: " + std::to_string(before) + " before and " + std::to_string(after) +
                                " after, for " + std::to_string(Tq) + " queries and " + std::to_string(Tk) + " keys");
  }
  return mask_of("band_mask", Tq, Tk, [=](Size i, Size j) { return i - j <= before && j - i <= after; });
}

Mask padding_mask(const std::vector<Size>& lengths, Size Tk) {
  if (Tk < 0) throw std::invalid_argument("padding_mask: " + std::to_string(Tk) + " keys");
  std::vector<bool> values;
  for (Size length : lengths) {
    if (length < 0 || length > Tk) {
      throw std::invalid_argument("padding_mask: length " + std::to_string(length) + " with " + std::to_string(Tk) +
                                  " keys");
    }
    for (Size j = 0; j < Tk; ++j) values.push_back(j < length);
  }
  return Mask(Tensor::from_bools(values, {static_cast<Size>(lengths.size()), 1, 1, Tk}));
}

}  // namespace attend
