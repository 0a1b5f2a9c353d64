#include "autograd/autocast.hpp"
#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

// Σ g · conv(x, w) is linear in each of the three, and the derivative with respect to one is a convolution, forwards or
// backwards, of the two others: three ops, each of which is made of the other two when it is differentiated.
Var conv_to_input(V g, V w, const Shape& input, const Convolution& how);
Var conv_to_weight(V g, V x, const Shape& weight, const Convolution& how);

Var conv_to_input(V g, V w, const Shape& input, const Convolution& how) {
  return record(
      "conv_to_input", kernel::conv_to_input(g.value(), w.value(), input, how), {g, w},
      [how](V dx, In<1> w) { return conv(dx, w, how); },
      [how](V dx, In<0> g, Shapes in) { return conv_to_weight(g, dx, in[1], how); });
}

Var conv_to_weight(V g, V x, const Shape& weight, const Convolution& how) {
  return record(
      "conv_to_weight", kernel::conv_to_weight(g.value(), x.value(), weight, how), {g, x},
      [how](V dw, In<1> x) { return conv(x, dw, how); },
      [how](V dw, In<0> g, Shapes in) { return conv_to_input(g, dw, in[1], how); });
}

}  // namespace

/// d(w ∗ x) = w ∗ dx + dw ∗ x
Var conv(V x, V weight, const Convolution& how) {
  if (autocast::takes_down(x, weight)) return conv(autocast::down(x), autocast::down(weight), how);
  return record(
      "conv", kernel::conv(x.value(), weight.value(), how), {x, weight},
      [how](V g, In<1> w, Shapes in) { return conv_to_input(g, w, in[0], how); },
      [how](V g, In<0> x, Shapes in) { return conv_to_weight(g, x, in[1], how); });
}

}  // namespace attend
