#include "nn/attention/blocks.hpp"

#include <algorithm>

#include "tensor/kernels.hpp"

namespace attend {
namespace {

// [B or 1, T] -> [B or 1, 1, blocks, 1, reach]: beside_blocks of the keys that are there.
Tensor there_beside_blocks(const Tensor& keys, const Blocks& blocks) {
  const auto nothing = [&](Size count) { return Tensor::zeros({keys.shape()[0], count}, DType::boolean); };
  const Tensor padded =
      kernel::concat({nothing(blocks.before), keys, nothing(blocks.padded() - blocks.T + blocks.after)}, 1);
  return unsqueeze(unsqueeze(windows(padded, 1, blocks.reach, blocks.length), 1), 3);
}

// Query p of a block sees its keys p .. p + before + after: [length, reach].
Tensor band(const Blocks& blocks) {
  std::vector<bool> seen;
  for (Size p = 0; p < blocks.length; ++p) {
    for (Size j = 0; j < blocks.reach; ++j) seen.push_back(j >= p && j <= p + blocks.before + blocks.after);
  }
  return Tensor::from_bools(seen, {blocks.length, blocks.reach});
}

}  // namespace

Blocks::Blocks(Size positions, Size keys_before, Size keys_after)
    : T(positions), before(keys_before), after(keys_after) {
  length = std::max<Size>(1, std::min(T, before + after));
  count = std::max<Size>(1, (T + length - 1) / length);  // of no position one block, with nobody in it
  reach = before + length + after;
}

Var in_blocks(const Var& q, const Blocks& blocks) {
  const Var padded = pad(q, 2, 0, blocks.padded() - blocks.T);
  return reshape(padded, {q.shape()[0], q.shape()[1], blocks.count, blocks.length, q.shape()[3]});
}

Var out_of_blocks(const Var& context, const Blocks& blocks) {
  const Shape& cut = context.shape();
  return slice(reshape(context, {cut[0], cut[1], blocks.padded(), cut[4]}), 2, 0, blocks.T);
}

Var beside_blocks(const Var& k, const Blocks& blocks) {
  const Var padded = pad(k, 2, blocks.before, blocks.padded() - blocks.T + blocks.after);
  return windows(padded, 2, blocks.reach, blocks.length);
}

Tensor allowed_beside_blocks(const Tensor& keys, const Blocks& blocks) {
  const Tensor there = keys.defined() ? keys : Tensor::ones({1, blocks.T}, DType::boolean);
  return kernel::logical_and(band(blocks), there_beside_blocks(there, blocks));
}

}  // namespace attend
