// How a convolution walks over its image: what its op and its kernels are told beside image and weight.
#pragma once
#include "tensor/shape.hpp"

namespace attend {

struct Convolution {
  Size stride = 1;    // the distance between two windows
  Size padding = 0;   // rows and columns of zeros on every side of the image
  Size dilation = 1;  // the distance between two elements of a window
  Size groups = 1;    // of channels, which do not see each other
};

/// Throws std::invalid_argument, in the name of `op`, unless windows of a weight [O, C / groups, kernel sizes...] fit
/// into the padded x [B, C, sizes...], with sizes for one axis or more, and the channels and the groups agree.
void check_fits(const char* op, const Shape& x, const Shape& weight, const Convolution& how);

}  // namespace attend
