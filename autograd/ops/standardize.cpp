#include "autograd/autocast.hpp"
#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

// With the deviation s = √(variance + epsilon) and y = (x − mean) / s:   dx = (g − mean g − y mean(g y)) / s
// It is composed where it shall be differentiated again.
Var standardize_backward(V g, V x, double epsilon) {
  if (!recording()) return kernel::standardize_backward(g.value(), x.value(), epsilon);
  const Var centred = x - mean(x, {-1}, true);
  const Var deviation = sqrt(mean(centred * centred, {-1}, true) + epsilon);
  const Var y = centred / deviation;
  return (g - mean(g, {-1}, true) - y * mean(g * y, {-1}, true)) / deviation;
}

}  // namespace

/// dy = (dx − mean dx − y mean(y dx)) / √(variance + epsilon)
Var standardize(V x, double epsilon) {
  if (autocast::takes_up(x)) return standardize(autocast::up(x), epsilon);
  return record("standardize", kernel::standardize(x.value(), epsilon), {x},
                [epsilon](V g, In<0> x) { return standardize_backward(g, x, epsilon); });
}

}  // namespace attend
