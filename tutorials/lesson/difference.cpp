#include "tutorials/lesson/difference.hpp"

#include "tensor/kernels.hpp"

namespace attend::lesson {

bool close(const Tensor& a, const Tensor& b) { return largest_difference(a, b) < 1e-9; }

bool sums_to_one(const Tensor& weights, Size axis) {
  const Tensor sums = kernel::sum(weights, {axis}, false);
  return close(sums, Tensor::ones(sums.shape(), sums.dtype()));
}

double share_equal(const Tensor& a, const Tensor& b) {
  const Tensor equal = kernel::cast(kernel::equal(a, b), DType::float64);
  return kernel::sum(equal, all_axes(equal.rank()), false).item() / static_cast<double>(equal.size());
}

}  // namespace attend::lesson
