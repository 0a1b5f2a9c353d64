#pragma once
#include "nn/attention/local.hpp"

namespace attend {

/// A window with gaps: query i sees the keys i − before · D, ..., i − D, i, i + D, ..., i + after · D, for the dilation
/// D. The dilated sliding window of Beltagy, Peters, Cohan 2020 (arXiv:2004.05150), which reaches D times as far at the
/// cost of a window without gaps. A query sees nothing but positions of its own residue modulo D, and so however many
/// layers follow each other: the paper dilates two heads of a layer and leaves the others without gaps.
/// Here the D classes of residues become D sequences, each of which has a local window: work and memory are
/// O(T · window).
/// q, k [B, H, T, d], v [B, H, T, dv] -> context [B, H, T, dv], no weights. Throws std::invalid_argument for a negative
/// side, a dilation below 1 and a mask other than causal_mask & padding_mask.
struct DilatedAttention {
  LocalAttention window;
  Size dilation;

  DilatedAttention(Size keys_before, Size keys_after, Size gap);
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit&) {}
};

/// The multiplications of one head for T positions of width d.
Size dilated_multiplications(Size T, Size d, Size before, Size after, Size dilation);

}  // namespace attend
