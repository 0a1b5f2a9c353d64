// Masks: which query may attend to which key. There is one meaning everywhere: TRUE = MAY ATTEND.
#pragma once
#include <vector>

#include "tensor/tensor.hpp"

namespace attend {

/// What a mask says to an attention that never looks at pairs: whether it is causal, and which keys are there at all.
struct KeyMask {
  bool causal = false;
  Tensor keys;  // [B or 1, Tk], true = is there; undefined: all are
};

/// A boolean [B, H, Tq, Tk], where each size may also be 1 and then holds for all; true = may attend. Masks combine
/// with &:
///     Mask mask = causal_mask(T, T) & padding_mask(lengths, T);
class Mask {
 public:
  /// Every query may attend to every key.
  Mask() = default;
  /// From a bool tensor [Tq, Tk], [B, Tq, Tk] or [B, H, Tq, Tk]. Throws std::invalid_argument for any other.
  explicit Mask(const Tensor& allowed);

  /// Whether this is the mask that allows everything and stores nothing.
  bool allows_all() const { return !stored_.defined() && causal_.empty(); }
  /// [B or 1, H or 1, Tq or 1, Tk or 1]. What is causal of it is formed by this call.
  Tensor allowed() const;
  /// Whether it is causal_mask(Tq, Tk) & without_causality(). Of that only the second is stored, so that blockwise
  /// attention forms no [Tq, Tk].
  bool causal(Size Tq, Size Tk) const { return causal_ == Shape{Tq, Tk}; }
  Mask without_causality() const;

  /// The mask in the form that broadcasts to scores [B, Tq, Tk] or [B, H, Tq, Tk]. Throws std::invalid_argument, with
  /// both shapes, when it does not fit.
  Tensor for_scores(const Shape& scores) const;
  /// Keys that at least one query, in any head, may attend to: [B or 1, Tk or 1].
  Tensor visible_keys() const;

  friend Mask operator&(const Mask& a, const Mask& b);
  friend Mask causal_mask(Size Tq, Size Tk);
  friend KeyMask key_mask(const char* op, const Mask& mask, Size Tq, Size Tk);

 private:
  Tensor stored_;  // [B or 1, H or 1, Tq or 1, Tk or 1], or nothing
  Shape causal_;   // [Tq, Tk] of the causal mask that is there beside it, or empty
};

/// Query i may attend to key j when j <= i + (Tk − Tq): the last query is aligned with the last key, so that it sees
/// all, and a single query after Tk keys (as in step-by-step decoding) sees all of them. Throws std::invalid_argument
/// for a negative number of either.
Mask causal_mask(Size Tq, Size Tk);
/// In sequence b the keys 0 .. lengths[b] − 1 are there, and the rest is padding. Throws std::invalid_argument for a
/// length outside 0 .. Tk.
Mask padding_mask(const std::vector<Size>& lengths, Size Tk);
/// Query i may attend to the keys from i − before to i + after, both included, aligned as in causal_mask. Throws
/// std::invalid_argument for negative numbers.
Mask band_mask(Size Tq, Size Tk, Size before, Size after);

/// The mask in the words of a KeyMask. Throws std::invalid_argument, in the name of `op`, for one that says more (other
/// keys to other queries or heads), or that is not for Tq queries and Tk keys.
KeyMask key_mask(const char* op, const Mask& mask, Size Tq, Size Tk);

}  // namespace attend
