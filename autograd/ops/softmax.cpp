#include "autograd/autocast.hpp"
#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

// y (g − Σ g y), the derivative of softmax, which is linear in g; with respect to y it is c (g − Σ g y) − g Σ c y.
// Where y is 0 by a mask, g may hold anything: kernel and rules let it have no part.
Var softmax_backward(V g, V y) {
  return record(
      "softmax_backward", kernel::softmax_backward(g.value(), y.value()), {g, y},
      [](V c, In<1> y) { return softmax_backward(c, y); },
      [](V c, In<0> g, In<1> y) {
        const Tensor zero = Tensor::zeros({}, y.dtype());
        const Var seen = where(y > 0.0, g, zero), back = where(y > 0.0, c, zero);
        return back * (seen - sum(seen * y, {-1}, true)) - seen * sum(back * y, {-1}, true);
      });
}

// Calls f(x) with the given axis at the end.
template <class F>
Var along_last_axis(const char* op, V x, Size axis, F f) {
  axis = normal_axis(op, axis, x.rank());
  if (axis == x.rank() - 1) return f(x);
  Axes order = all_axes(x.rank());
  std::swap(order[axis], order.back());
  return permute(f(permute(x, order)), order);
}

}  // namespace

/// dy = y (dx − Σ y dx)
Var softmax(V x_, Size axis) {
  return along_last_axis("softmax", x_, axis, [](V x) {
    return record("softmax", kernel::softmax(x.value()), {x}, [](V g, Out y) { return softmax_backward(g, y); });
  });
}

/// dy = dx − Σ exp(y) dx
Var log_softmax(V x_, Size axis) {
  if (autocast::takes_up(x_)) return log_softmax(autocast::up(x_), axis);
  return along_last_axis("log_softmax", x_, axis, [](V x) {
    return record("log_softmax", kernel::log_softmax(x.value()), {x},
                  [](V g, Out y) { return g - exp(y) * sum(g, {-1}, true); });
  });
}

/// The derivative of softmax, with y = 0 where masked.
Var masked_softmax(V x, const Tensor& mask) {
  return record("masked_softmax", kernel::masked_softmax(x.value(), mask), {x},
                [](V g, Out y) { return softmax_backward(g, y); });
}

}  // namespace attend
