// What attentions within a window share: blocks of queries, each beside the keys that any of them sees.
#pragma once
#include "autograd/ops.hpp"

namespace attend {

/// T positions cut into blocks of queries, where query i sees the keys from i − before to i + after; block i is beside
/// the keys from i · length − before on, `reach` of them. Blocks are as long as the window.
struct Blocks {
  Size T, before, after, length, count, reach;

  Blocks(Size positions, Size keys_before, Size keys_after);
  Size padded() const { return count * length; }
};

/// [B, H, T, d] -> [B, H, blocks, length, d], with 0 after the last position; and back.
Var in_blocks(const Var& q, const Blocks& blocks);
Var out_of_blocks(const Var& context, const Blocks& blocks);

/// [B, H, T, d] -> [B, H, blocks, d, reach]: the keys beside each block, those before the first and after the last 0.
Var beside_blocks(const Var& k, const Blocks& blocks);

/// Which of them each query sees: its window, and in it the keys that are there, bool [B or 1, T] (undefined: all)
/// -> [B or 1, 1, blocks, length, reach].
Tensor allowed_beside_blocks(const Tensor& keys, const Blocks& blocks);

}  // namespace attend
