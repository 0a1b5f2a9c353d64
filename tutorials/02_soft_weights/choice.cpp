#include "tutorials/02_soft_weights/choice.hpp"

#include "autograd/ops.hpp"
#include "tensor/kernels.hpp"

namespace attend::chapter02 {

Var soft_choice(const Var& scores, double temperature) { return softmax(scores / temperature, -1); }

Tensor hard_choice(const Tensor& scores) { return one_hot(argmax(scores, -1), scores.shape().back(), scores.dtype()); }

double largest(const Tensor& x) { return kernel::max(kernel::abs(x), all_axes(x.rank()), false).item(); }

}  // namespace attend::chapter02
