// Convolution without columns: the windows are read where they stand in the image, by the loops of avx512.hpp. Included
// by kernels/convolution.cpp and kernels/direct.cpp only.
#pragma once
#include "tensor/inner/walk.hpp"

namespace attend::kernel::direct {

/// Whether the three can be computed so, and are quicker then: float32, AVX-512, most lanes of the last vector of
/// outputs in use. Where it says no, matrix products compute them.
bool suits_conv(const Walk& walk, DType dtype);
bool suits_conv_to_input(const Walk& walk, DType dtype);
bool suits_conv_to_weight(const Walk& walk, DType dtype);

/// What the kernels of the same names compute, into y [B, O, rows, columns], dx [B, C, H, W] and dw [O, C, u, v]. The
/// weight is contiguous.
void conv(const Walk& walk, const Tensor& x, const float* weight, float* y);
void conv_to_input(const Walk& walk, const Tensor& g, const float* weight, float* dx);
void conv_to_weight(const Walk& walk, const Tensor& g, const Tensor& x, float* dw);

}  // namespace attend::kernel::direct
