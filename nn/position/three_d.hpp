#pragma once
#include "autograd/ops.hpp"

namespace attend {

/// How far a video or a volume reaches along its three axes.
struct Extent {
  Size time, height, width;
  Size count() const { return time * height * width; }
};

/// Separable sinusoidal positions in three dimensions: [P_time ; P_height ; P_width], each a sinusoidal table of a
/// third of the width. Positions in the order of (time, height, width), width fastest -> [time · height · width,
/// width]. Throws std::invalid_argument when the width is no multiple of 3.
Tensor sinusoidal_positions_3d(const Extent& extent, Size width, DType dtype = DType::float32);

/// Rotary positions in three dimensions: the first third of the last axis is turned by the time, the second by the
/// height, the last by the width, so that products depend on the three distances only.
/// x [..., time · height · width, d] -> the same. Throws std::invalid_argument when d is no multiple of 6.
Var rotary_3d(const Var& x, const Extent& extent, double base = 10000);

}  // namespace attend
