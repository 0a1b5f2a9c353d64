#include "nn/position/three_d.hpp"

#include <stdexcept>

#include "nn/position/rotary.hpp"
#include "nn/position/sinusoidal.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

// The place of every position along one axis (0: time, 1: height, 2: width), [count].
Tensor places(const Extent& extent, int axis) {
  std::vector<std::int64_t> values;
  for (Size t = 0; t < extent.time; ++t) {
    for (Size y = 0; y < extent.height; ++y) {
      for (Size x = 0; x < extent.width; ++x) values.push_back(axis == 0 ? t : axis == 1 ? y : x);
    }
  }
  return Tensor::from_ints(values, {extent.count()});
}

Size along(const Extent& extent, int axis) {
  return axis == 0 ? extent.time : axis == 1 ? extent.height : extent.width;
}

bool is_extent(const Extent& extent) { return extent.time >= 0 && extent.height >= 0 && extent.width >= 0; }

std::string described(const Extent& extent) {
  return std::to_string(extent.time) + " x " + std::to_string(extent.height) + " x " + std::to_string(extent.width);
}

}  // namespace

Tensor sinusoidal_positions_3d(const Extent& extent, Size width, DType dtype) {
  if (width < 3 || width % 3 != 0 || !is_extent(extent)) {
    throw std::invalid_argument("sinusoidal positions in 3-D: the width " + std::to_string(width) + " for " +
                                described(extent) + " positions; it is a multiple of 3");
  }
  std::vector<Tensor> parts;
  for (int axis = 0; axis < 3; ++axis) {
    const Tensor table = sinusoidal_positions(along(extent, axis), width / 3, 0, 10000, dtype);
    parts.push_back(kernel::take(table, 0, places(extent, axis)));
  }
  return kernel::concat(parts, -1);
}

Var rotary_3d(const Var& x, const Extent& extent, double base) {
  const Size rank = x.rank(), d = rank < 2 ? 0 : x.shape()[rank - 1];
  if (rank < 2 || d % 6 != 0 || !is_extent(extent) || x.shape()[rank - 2] != extent.count()) {
    throw std::invalid_argument("rotary in 3-D: x " + text(x.shape()) + " for " + described(extent) +
                                " positions; the last axis is a multiple of 6");
  }
  Vars thirds = split(x, {d / 3, d / 3, d / 3}, -1);
  for (int axis = 0; axis < 3; ++axis) {
    Var& third = thirds[static_cast<std::size_t>(axis)];
    third = rotary_at(third, places(extent, axis), base);
  }
  return concat(thirds, -1);
}

}  // namespace attend
