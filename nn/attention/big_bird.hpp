#pragma once
#include "nn/attention/core.hpp"

namespace attend {

/// Settings of BigBird, in blocks but for the first.
struct BigBirdOptions {
  Size block = 64;  // positions in a block
  Size window = 1;  // blocks seen on each side of the query's own
  Size random = 3;  // further ones, drawn
  Size global = 1;  // the first ones, which see all and are seen by all
};

/// BigBird. Zaheer et al. 2020 (arXiv:2007.14062), its internal construction (ITC) in blocks: a query sees the keys of
///   its own block and `window` blocks on each side; `random` blocks, drawn for its block; the `global` first blocks
/// and the queries of global blocks see all. Without window and global blocks it is random attention, for which a block
/// sees itself and what was drawn for it. Work and memory are O(T · block).
/// The blocks are drawn at construction, for up to `positions` positions, from those that the block does not see
/// anyway, each once and all with equal chance; where fewer are left, all are taken. For a shorter sequence, what was
/// drawn beyond its end is nobody.
/// The authors' code draws anew for each head, and the first and the last block are global there; here all heads share
/// what is drawn, and the global blocks are the first. A window is cut off at the ends.
/// q, k [B, H, T, d], v [B, H, T, dv] -> context [B, H, T, dv], no weights. Throws std::invalid_argument for a block of
/// less than 1, negative numbers, more positions than it was drawn for, and a mask other than padding_mask: random and
/// global blocks look ahead.
struct BigBirdAttention {
  BigBirdOptions options;
  Tensor drawn;  // int64 [blocks, random at most]; −1: no block was left

  BigBirdAttention(Size positions, const BigBirdOptions& how, Rng& rng);
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit& visit) { visit.buffer("drawn", drawn); }
};

/// The multiplications of one head for the T positions that were drawn for, of width d.
Size big_bird_multiplications(Size T, Size d, const BigBirdOptions& how);

}  // namespace attend
