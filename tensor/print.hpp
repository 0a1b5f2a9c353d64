// Tensors as text that a person can read.
#pragma once
#include <iosfwd>
#include <string>

#include "tensor/tensor.hpp"

namespace attend {

struct PrintOptions {
  int precision = 4;         // digits behind the point, at most
  Size most_elements = 200;  // of a larger tensor, each long axis shows its two ends only
  Size edge = 3;             // elements shown at each end
  Size width = 80;           // columns a line may take; a longer row goes on below
  std::string note = "";     // put behind dtype and shape
};

/// dtype and shape on the first line, the numbers below in columns, rows of the last axis in brackets:
///
///     float32 [2, 3]
///     [[ 0.5000, -1.2500,    nan],
///      [ 2.0000,  0.0000,    inf]]
///
/// All numbers have one format. Where digits behind the point would not show them (1e-6), a common power of ten stands
/// on the first line, "times 1e-06"; where they lie too far apart for that, each has its exponent. "..." stands for
/// what is left out. An undefined tensor, one without elements, and one whose history did not keep the numbers say so.
/// Throws std::invalid_argument for a precision below 1 or above 17, an edge below 1 or a width below 40.
std::string to_string(const Tensor& x, const PrintOptions& options = {});

/// Prints to_string(x), without a line break at the end.
std::ostream& operator<<(std::ostream& out, const Tensor& x);

}  // namespace attend
