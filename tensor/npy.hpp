// Tensors in NumPy's file format, which numpy.load and numpy.save read and write.
#pragma once
#include <string>

#include "tensor/tensor.hpp"

namespace attend {

/// Reads a .npy file of format 1.0 or 2.0 with elements of float16, float32, float64, int64 or bool, little-endian. An
/// array in Fortran order is read into row-major order. Throws std::runtime_error, "weights.npy: cut short: ...",
/// naming the file and what is wrong with it: not there, not a .npy file, another version, another dtype or byte order,
/// more than 8 axes, fewer or more bytes than the shape needs.
Tensor load_npy(const std::string& path);

/// Writes x, in row-major order, as format 1.0: what load_npy reads back is the same bit for bit. The file is complete
/// or what it was before: the bytes go to a temporary file beside it, which then takes its name. Throws
/// std::runtime_error, naming the file, when it cannot be written, and std::invalid_argument for a tensor without
/// numbers and for bfloat16, which NumPy does not know.
void save_npy(const std::string& path, const Tensor& x);

}  // namespace attend
