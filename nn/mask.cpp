#include "nn/mask.hpp"

#include <stdexcept>

#include "tensor/kernels.hpp"

namespace attend {
namespace {

void check_sizes(const char* op, Size Tq, Size Tk) {
  if (Tq >= 0 && Tk >= 0) return;
  throw std::invalid_argument(std::string(op) + ": " + std::to_string(Tq) + " queries and " + std::to_string(Tk) +
                              " keys");
}

// The mask with allowed(i, j) for query i and key j; j counts from the key that is aligned with query 0.
template <class Allowed>
Mask mask_of(const char* op, Size Tq, Size Tk, Allowed allowed) {
  check_sizes(op, Tq, Tk);
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
  stored_ = allowed;
  if (stored_.rank() == 2) stored_ = unsqueeze(stored_, 0);
  if (stored_.rank() == 3) stored_ = unsqueeze(stored_, 1);
}

Tensor Mask::allowed() const {
  if (causal_.empty()) return stored_;
  const Tensor causal = reshape(kernel::causal(causal_[0], causal_[1]), {1, 1, causal_[0], causal_[1]});
  return stored_.defined() ? kernel::logical_and(causal, stored_) : causal;
}

Mask Mask::without_causality() const {
  Mask rest;
  rest.stored_ = stored_;
  return rest;
}

Tensor Mask::for_scores(const Shape& scores) const {
  if (allows_all()) return Tensor::ones(Sizes::repeat(scores.size(), 1), DType::boolean);
  const Tensor allowed = this->allowed();
  const bool one_head = scores.size() == 3;
  Shape in_heads = scores;
  if (one_head) in_heads.insert(1, 1);
  if (in_heads.size() != 4 || !broadcasts_to(allowed.shape(), in_heads)) {
    throw std::invalid_argument("mask: " + text(allowed.shape()) + " does not fit scores " + text(scores));
  }
  return one_head ? squeeze(allowed, {1}) : allowed;
}

Tensor Mask::visible_keys() const {
  // The last query of a causal mask sees all.
  const bool last_sees_all = !causal_.empty() && causal_[0] > 0;
  if (last_sees_all && !stored_.defined()) return Tensor::ones({1, causal_[1]}, DType::boolean);
  const bool for_all_queries = last_sees_all && stored_.shape()[2] == 1 && stored_.shape()[3] == causal_[1];
  const Tensor last = for_all_queries ? stored_ : allowed();
  return kernel::any(kernel::any(last, 2, false), 1, false);  // [B, H, Tk] -> [B, Tk]
}

Mask operator&(const Mask& a, const Mask& b) {
  if (a.allows_all()) return b;
  if (b.allows_all()) return a;
  const bool one_causality = a.causal_.empty() || b.causal_.empty() || a.causal_ == b.causal_;
  if (!one_causality) return Mask(kernel::logical_and(a.allowed(), b.allowed()));
  Mask both;
  both.stored_ = a.stored_.defined() ? a.stored_ : b.stored_;
  if (a.stored_.defined() && b.stored_.defined()) both.stored_ = kernel::logical_and(a.stored_, b.stored_);
  both.causal_ = a.causal_.empty() ? b.causal_ : a.causal_;
  if (both.stored_.defined() && !both.causal_.empty()) broadcast_shape("mask", both.stored_.shape(), both.causal_);
  return both;
}

Mask causal_mask(Size Tq, Size Tk) {
  check_sizes("causal_mask", Tq, Tk);
  Mask mask;
  mask.causal_ = {Tq, Tk};
  return mask;
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

KeyMask key_mask(const char* op, const Mask& mask, Size Tq, Size Tk) {
  const std::string what = std::string(op) + ": ";
  const Shape& causal = mask.causal_;
  if (!causal.empty() && causal != Shape{Tq, Tk}) {
    throw std::invalid_argument(what + "causal mask " + text(causal) + " for " + std::to_string(Tq) + " queries and " +
                                std::to_string(Tk) + " keys");
  }
  KeyMask result{!causal.empty(), Tensor()};
  if (!mask.stored_.defined()) return result;
  const Shape& stored = mask.stored_.shape();
  if (stored[1] != 1 || stored[2] != 1) {
    throw std::invalid_argument(what + "mask " + text(stored) +
                                "; it forms no pairs, so it takes causal_mask and padding_mask only");
  }
  if (stored[3] != Tk && stored[3] != 1) {
    throw std::invalid_argument(what + "mask " + text(stored) + " for " + std::to_string(Tk) + " keys");
  }
  result.keys = broadcast_to(reshape(mask.stored_, {stored[0], stored[3]}), {stored[0], Tk});
  return result;
}

}  // namespace attend
