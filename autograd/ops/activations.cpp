#include <stdexcept>

#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

Tensor number(double value, DType dtype) { return Tensor::full({}, value, dtype); }

// 1 where the mask is true, else `otherwise`.
Tensor one_where(const Tensor& mask, double otherwise, DType dtype) {
  return kernel::where(mask, number(1, dtype), number(otherwise, dtype));
}

/// g (1 − y²), one pass in the place of three; its derivative with respect to y is −2 g y
Var tanh_backward(V g, V y) {
  return record(
      "tanh_backward", kernel::tanh_backward(g.value(), y.value()), {g, y},
      [](V c, In<1> y) { return tanh_backward(c, y); },  //
      [](V c, In<0> g, In<1> y) { return -2.0 * c * g * y; });
}

/// g y (1 − y); its derivative with respect to y is g (1 − 2 y)
Var sigmoid_backward(V g, V y) {
  return record(
      "sigmoid_backward", kernel::sigmoid_backward(g.value(), y.value()), {g, y},
      [](V c, In<1> y) { return sigmoid_backward(c, y); },  //
      [](V c, In<0> g, In<1> y) { return c * g * (1.0 - 2.0 * y); });
}

/// g where y > 0, else 0; with respect to y it is constant but for the jump
Var relu_backward(V g, V y) {
  return record(
      "relu_backward", kernel::relu_backward(g.value(), y.value()), {g, y},
      [](V c, In<1> y) { return relu_backward(c, y); },  //
      [](V) { return Var(); });
}

}  // namespace

/// d tanh x = (1 − tanh² x) dx
Var tanh(V x) {
  return record("tanh", kernel::tanh(x.value()), {x}, [](V g, Out y) { return tanh_backward(g, y); });
}

/// d σ(x) = σ(x) (1 − σ(x)) dx
Var sigmoid(V x) {
  return record("sigmoid", kernel::sigmoid(x.value()), {x}, [](V g, Out y) { return sigmoid_backward(g, y); });
}

/// d relu(x) = dx where x > 0, which is where the result is > 0
Var relu(V x) {
  return record("relu", kernel::relu(x.value()), {x}, [](V g, Out y) { return relu_backward(g, y); });
}

Var leaky_relu(V x, double slope) {
  return record("leaky_relu", kernel::leaky_relu(x.value(), slope), {x},
                [slope](V g, In<0> x) { return g * one_where(x > 0.0, slope, x.dtype()); });
}

/// d elu(x) = dx where x > 0, else alpha eˣ dx
Var elu(V x, double alpha) {
  const Tensor positive = x > 0.0;
  // The exponent of the branch not taken is 0, so that a large x cannot make it overflow.
  const Var negative = where(positive, Var(number(0, x.dtype())), x);
  return where(positive, x, alpha * expm1(negative));
}

namespace {

/// g d gelu(x)/dx with d gelu(x)/dx = Φ(x) + x φ(x), and d² gelu(x)/dx² = (2 − x²) φ(x), φ(x) = exp(−x²/2) / √(2π)
Var gelu_backward(V g, V x) {
  return record(
      "gelu_backward", kernel::gelu_backward(g.value(), x.value()), {g, x},
      [](V c, In<1> x) { return gelu_backward(c, x); },
      [](V c, In<0> g, In<1> x) {
        constexpr double one_over_sqrt_two_pi = 0.3989422804014327;
        return c * g * one_over_sqrt_two_pi * (2.0 - x * x) * exp(-0.5 * (x * x));
      });
}

}  // namespace

Var gelu(V x) {
  return record("gelu", kernel::gelu(x.value()), {x}, [](V g, In<0> x) { return gelu_backward(g, x); });
}

Var gelu_tanh(V x) {
  constexpr double sqrt_two_over_pi = 0.7978845608028654;
  return 0.5 * x * (1.0 + tanh(sqrt_two_over_pi * (x + 0.044715 * (x * x * x))));
}

/// d log(1 + eˣ) = σ(x) dx
Var softplus(V x) {
  return record("softplus", kernel::softplus(x.value()), {x}, [](V g, In<0> x) { return g * sigmoid(x); });
}

Var clamp(V x, double low, double high) {
  if (!(low <= high)) {
    throw std::invalid_argument("clamp: low " + std::to_string(low) + " is not below high " + std::to_string(high) +
                                ", x " + text(x.shape()));
  }
  return record("clamp", kernel::clamp(x.value(), low, high), {x}, [low, high](V g, In<0> x) {
    const Tensor inside = kernel::logical_and(x >= low, x <= high);
    return g * one_where(inside, 0, x.dtype());
  });
}

}  // namespace attend
