#pragma once
#include "nn/attention/core.hpp"

namespace attend {

/// A⁺ of each matrix of A [..., m, m] by the iteration of order 3 of Razavi et al. 2014:
///   Z ← ¼ Z (13 I − A Z (15 I − A Z (7 I − A Z)))        from Z = Aᵀ / (‖A‖₁ ‖A‖∞)
/// The norms are those of each matrix. (The implementation of Xiong et al. divides by the largest of all matrices of
/// the batch, so that a sequence's result depends on the others.) How many steps it needs depends on how near to
/// singular A is. Throws std::invalid_argument for other shapes and a negative number of steps.
Var iterated_inverse(const Var& A, Size steps);

/// How Nyström attention can be changed.
struct NystromOptions {
  Size steps = 6;        // of iterated_inverse, as in the paper; they do not reach the inverse of an A near to singular
  bool exact = false;    // A⁻¹ by LAPACK instead; it throws where two landmarks are alike, since A is singular then
  Size convolution = 0;  // positions that a depthwise convolution of the values, which is added, reads; 0: none
  Size heads = 0;        // of which the convolution learns one each
};

/// Attention through landmarks, by the method of Nyström. Xiong et al. 2021 (arXiv:2102.03902).
///   context = softmax(q k̃ᵀ / √d) · softmax(q̃ k̃ᵀ / √d)⁺ · softmax(q̃ kᵀ / √d) · value  (+ convolution(value))
/// The landmarks q̃, k̃ [m, d] are means of segments of the positions; segment s has those from ⌈s T / m⌉ to
/// ⌈(s + 1) T / m⌉ − 1, so that their lengths differ by at most 1. (The paper pads T to a multiple of m.) The weights
/// may be negative. A landmark has seen every position of its segment: there is no causal form.
/// The paper adds a depthwise convolution of the values, over 33 positions in its code; here it is off unless options
/// say otherwise, so that what is left is the approximation alone.
/// A position that is padding has no part in a landmark, as a query neither: the segments are cut among the others, and
/// a sequence with fewer than m of them has as many landmarks as it has positions. So every sequence gets what it would
/// get alone and without padding.
/// q, k [B, H, T, d], v [B, H, T, dv] -> context [B, H, T, dv], no weights. Throws std::invalid_argument for a number
/// of landmarks outside 1 .. T and a mask other than padding_mask; the constructor for negative steps and a convolution
/// of an even size or without heads.
struct NystromAttention {
  Size landmarks;
  NystromOptions options;
  Var convolution;  // [H, 1, size, 1], or undefined

  NystromAttention(Size number_of_landmarks, Rng& rng, const NystromOptions& how = {});
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit& visit) { visit("convolution", convolution); }
};

/// The multiplications of one head for T positions of width d, without the convolution.
Size nystrom_multiplications(Size T, Size d, Size landmarks, const NystromOptions& options = {});

}  // namespace attend
