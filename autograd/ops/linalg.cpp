#include "autograd/autocast.hpp"
#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {

/// d A⁻¹ = −A⁻¹ dA A⁻¹, so A gets −A⁻ᵀ g A⁻ᵀ
Var inverse(V A) {
  if (autocast::takes_up(A)) return inverse(autocast::up(A));
  return record("inverse", kernel::inverse(A.value()), {A},
                [](V g, Out y) { return -matmul(matmul(transpose(y), g), transpose(y)); });
}

}  // namespace attend
