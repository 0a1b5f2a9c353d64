#pragma once
#include "nn/attention/gathered.hpp"

namespace attend {

/// A window and global tokens. Beltagy, Peters, Cohan 2020 (arXiv:2004.05150), section 3.1: query i sees key j when
///   |i − j| <= w, or j is global, or i is global
/// The attention to global tokens is symmetric: all see them, and they see all. The paper takes [CLS], or the tokens of
/// a question. Two layers carry anything anywhere, by way of a global token.
/// The paper has projections of their own for the attention of global tokens; here they share those of the others.
/// Work and memory are O(T · (w + globals)).
/// q, k [B, H, T, d], v [B, H, T, dv] -> context [B, H, T, dv], no weights. Throws std::invalid_argument for a negative
/// window, a token that is named twice or not among the T, and a mask other than padding_mask: global tokens look
/// ahead.
struct GlobalTokenAttention {
  Size window;  // on each side
  Positions global;

  GlobalTokenAttention(Size side, Positions tokens);
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit&) {}
};

/// The multiplications of one head for T positions of width d and so many global ones.
Size global_token_multiplications(Size T, Size d, Size window, Size global);

}  // namespace attend
