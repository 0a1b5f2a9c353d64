#pragma once
#include "nn/attention/core.hpp"

namespace attend {

/// Strided attention. Child, Gray, Radford, Sutskever 2019 (arXiv:1904.10509), section 4.2: with the stride l query i
/// sees
///   A⁽¹⁾ = {i − l, ..., i}                      the l positions before it, and itself
///   A⁽²⁾ = {j <= i : (i − j) mod l = 0}         every l-th position before it
/// with one softmax over both, the "merged head" of the paper's equation 7. For l ≈ √T a query sees O(√T) keys, and two
/// layers carry anything to any later position. It suits what has a period of l: the rows of an image.
/// The paper only decodes. Without a causal mask both sets are taken to both sides here.
/// q, k [B, H, T, d], v [B, H, T, dv] -> context [B, H, T, dv], no weights. Throws std::invalid_argument for a stride
/// below 1 and a mask other than causal_mask & padding_mask.
struct StridedAttention {
  Size stride;

  explicit StridedAttention(Size l);
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit&) {}
};

/// Fixed attention, of the same paper: position j speaks for its block of l to all others when it is one of the last c
/// of the block.
///   A⁽¹⁾ = {j <= i : ⌊j / l⌋ = ⌊i / l⌋}         the query's own block
///   A⁽²⁾ = {j <= i : j mod l >= l − c}          what speaks for the blocks before
/// It suits what has no period: text. Throws std::invalid_argument also for c outside 1 .. l.
/// The paper lets each head have other c positions of the block; here they are the last, in every head.
struct FixedAttention {
  Size block, speakers;

  FixedAttention(Size l, Size c);
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit&) {}
};

/// The multiplications of one head for T positions of width d, without a causal mask.
Size strided_multiplications(Size T, Size d, Size stride);
Size fixed_multiplications(Size T, Size d, Size block, Size speakers);

}  // namespace attend
