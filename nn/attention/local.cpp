#include "nn/attention/local.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tensor/kernels.hpp"

namespace attend {
namespace {

// T positions cut into blocks of queries; block i sees the keys from i · length − before on, `reach` of them.
struct Blocks {
  Size T, before, after, length, count, reach;

  Blocks(Size positions, Size keys_before, Size keys_after) : T(positions), before(keys_before), after(keys_after) {
    length = std::max<Size>(1, std::min(T, before + after));
    count = (T + length - 1) / length;
    reach = before + length + after;
  }
  Size padded() const { return count * length; }
};

// [B, H, T, d] -> [B, H, blocks, length, d]
Var in_blocks(const Var& q, const Blocks& blocks) {
  const Var padded = pad(q, 2, 0, blocks.padded() - blocks.T);
  return reshape(padded, {q.shape()[0], q.shape()[1], blocks.count, blocks.length, q.shape()[3]});
}

// [B, H, T, d] -> [B, H, blocks, d, reach]: the keys beside each block, those before the first and after the last 0.
Var beside_blocks(const Var& k, const Blocks& blocks) {
  const Var padded = pad(k, 2, blocks.before, blocks.padded() - blocks.T + blocks.after);
  return windows(padded, 2, blocks.reach, blocks.length);
}

// The same of the keys that are there: [B or 1, T] -> [B or 1, 1, blocks, 1, reach].
Tensor beside_blocks(const Tensor& keys, const Blocks& blocks) {
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

LocalAttention::LocalAttention(Size keys_before, Size keys_after) : before(keys_before), after(keys_after) {
  if (before >= 0 && after >= 0) return;
  throw std::invalid_argument("local attention: a window of " + std::to_string(before) + " keys before and " +
                              std::to_string(after) + " after");
}

Attended LocalAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("local attention", q, k, v);
  const Size T = q.shape()[2];
  const KeyMask seen = key_mask("local attention", mask, T, T);
  const Blocks blocks(T, std::min(before, T), seen.causal ? 0 : std::min(after, T));

  const Tensor there = seen.keys.defined() ? seen.keys : Tensor::ones({1, T}, DType::boolean);
  const Tensor allowed =
      kernel::logical_and(band(blocks), beside_blocks(there, blocks));  // [B, 1, blocks, length, reach]
  const double scale = 1 / std::sqrt(static_cast<double>(q.shape()[3]));
  const Var near = beside_blocks(hide_invisible(k, mask), blocks);  // [B, H, blocks, d, reach]
  const Var weights =
      masked_softmax(matmul(in_blocks(scale * q, blocks), near), allowed);       // [B, H, blocks, length, reach]
  const Var values = transpose(beside_blocks(hide_invisible(v, mask), blocks));  // [B, H, blocks, reach, dv]
  const Var context = matmul(weights, values);                                   // [B, H, blocks, length, dv]
  Shape flat = v.shape();
  flat[2] = blocks.padded();
  return {slice(reshape(context, flat), 2, 0, T), Var()};
}

Size local_multiplications(Size T, Size d, Size before, Size after) {
  const Blocks blocks(T, std::min(before, T), std::min(after, T));
  const Size pairs = blocks.padded() * blocks.reach;
  return 2 * pairs * d + pairs + T * d;  // two products, the division of the softmax, the scale
}

}  // namespace attend
