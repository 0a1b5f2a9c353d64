#include "tensor/difference.hpp"

#include <limits>

#include "tensor/kernels.hpp"

namespace attend {

double largest_difference(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape()) return std::numeric_limits<double>::infinity();
  return kernel::max(kernel::abs(kernel::sub(a, b)), all_axes(a.rank()), false).item();
}

}  // namespace attend
