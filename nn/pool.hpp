// Pooling: one number for each window, in one or two dimensions. x is [B, C, T] or [B, C, H, W].
#pragma once
#include "autograd/ops.hpp"

namespace attend {

struct PoolOptions {
  Size kernel = 2;
  Size stride = 0;  // 0: the kernel
  Size padding = 0;
  bool ceil_mode = false;  // a last window may reach past the end, if it begins within the input or its left padding
};

/// The largest element of each window. Padding never wins, not even over −∞, and NaN always does; of equal elements the
/// first in row-major order gets the derivative, as in PyTorch. Throws std::invalid_argument when a window would not
/// hold any element: a padding above half the kernel, or a kernel larger than the padded input.
Var max_pool(const Var& x, const PoolOptions& options);

/// The mean of each window. The padding counts as zeros unless `count_padding` is false; what a last window of
/// ceil_mode has beyond the padding never counts. As in PyTorch.
Var average_pool(const Var& x, const PoolOptions& options, bool count_padding = true);

/// Windows chosen so that the result has the given sizes, [T'] or [H', W']: window i goes from ⌊i n / n'⌋ to ⌈(i + 1) n
/// / n'⌉. Of equal elements the first gets the derivative. Throws std::invalid_argument for sizes below 1 or too many
/// or few.
Var adaptive_average_pool(const Var& x, const Shape& sizes);
Var adaptive_max_pool(const Var& x, const Shape& sizes);

/// One number for each channel: [B, C]. Throws std::invalid_argument for an image without positions.
Var global_average_pool(const Var& x);
Var global_max_pool(const Var& x);

}  // namespace attend
