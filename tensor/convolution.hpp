// How a convolution walks over its image: what its op and its kernels are told beside image and weight.
#pragma once
#include "tensor/shape.hpp"

namespace attend {

/// The distance between two windows, zeros around the image, the distance between two elements of a window, and the
/// number of groups of channels that do not see each other.
struct Convolution {
  Size stride = 1, padding = 0, dilation = 1, groups = 1;
};

/// Throws std::invalid_argument, in the name of `op`, unless windows of a weight [O, C / groups, kernel sizes...] fit
/// into the padded x [B, C, sizes...], with sizes for one axis or more, and the channels and the groups agree.
void check_fits(const char* op, const Shape& x, const Shape& weight, const Convolution& how);

}  // namespace attend
