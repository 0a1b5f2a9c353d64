#include "autograd/autocast.hpp"
#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

// The share of a comparison's winner in the derivative: 1, or ½ where both are equal.
Tensor winner_share(const Tensor& winner, const Tensor& loser) {
  const DType dtype = winner.dtype();
  return kernel::affine(kernel::add(kernel::cast(kernel::greater(winner, loser), dtype),
                                    kernel::cast(kernel::greater_equal(winner, loser), dtype)),
                        0.5, 0);
}

// g · x summed to the shape of the other factor, which is broadcast: what the engine would do, without the products.
// The shapes of x and of the other factor broadcast to that of g.
Var product_summed_to(V g, V x, const Shape& other) {
  if (g.shape() == other) return g * x;
  return record(
      "sum_of_products", kernel::sum_of_products(g.value(), x.value(), other), {g, x},  //
      [](V h, In<1> x) { return h * x; },                                               //
      [](V h, In<0> g, Shapes in) { return product_summed_to(h, g, in[1]); });
}

// factor · x + shift
Var affine(V x, double factor, double shift) {
  return record("affine", kernel::affine(x.value(), factor, shift), {x}, [factor](V g) { return g * factor; });
}

}  // namespace

/// d(a + b) = da + db
Var operator+(V a, V b) {
  if (autocast::meet(a, b)) return autocast::half(a) + autocast::half(b);
  return record(
      "add", kernel::add(a.value(), b.value()), {a, b},  //
      [](V g) { return g; },                             //
      [](V g) { return g; });
}

/// d(a − b) = da − db
Var operator-(V a, V b) {
  if (autocast::meet(a, b)) return autocast::half(a) - autocast::half(b);
  return record(
      "sub", kernel::sub(a.value(), b.value()), {a, b},  //
      [](V g) { return g; },                             //
      [](V g) { return -g; });
}

/// d(a b) = b da + a db
Var operator*(V a, V b) {
  if (autocast::meet(a, b)) return autocast::half(a) * autocast::half(b);
  return record(
      "mul", kernel::mul(a.value(), b.value()), {a, b},                        //
      [](V g, In<1> b, Shapes in) { return product_summed_to(g, b, in[0]); },  //
      [](V g, In<0> a, Shapes in) { return product_summed_to(g, a, in[1]); });
}

/// d(a / b) = da / b − (a / b) db / b
Var operator/(V a, V b) {
  if (autocast::meet(a, b)) return autocast::half(a) / autocast::half(b);
  return record(
      "div", kernel::div(a.value(), b.value()), {a, b},  //
      [](V g, In<1> b) { return g / b; },                //
      [](V g, In<1> b, Out y) { return -(g * y / b); });
}

Var operator+(V a, double b) { return affine(a, 1, b); }
Var operator+(double a, V b) { return affine(b, 1, a); }
Var operator-(V a, double b) { return affine(a, 1, -b); }
Var operator-(double a, V b) { return affine(b, -1, a); }
Var operator*(V a, double b) { return affine(a, b, 0); }
Var operator*(double a, V b) { return affine(b, a, 0); }
Var operator/(V a, double b) { return affine(a, 1 / b, 0); }
Var operator/(double a, V b) { return Var(Tensor::full({}, a, b.dtype())) / b; }
Var operator-(V a) { return affine(a, -1, 0); }

/// d xᵖ = p xᵖ⁻¹ dx
Var pow(V x, double exponent) {
  check_floating("pow", x.value());
  if (exponent == 0) return Var(Tensor::ones(x.shape(), x.dtype()));
  if (exponent == 1) return x;
  const Tensor p = Tensor::full({}, exponent, x.dtype());
  return record("pow", kernel::pow(x.value(), p), {x},
                [exponent](V g, In<0> x) { return g * (exponent * pow(x, exponent - 1)); });
}

/// d aᵇ = b aᵇ⁻¹ da + aᵇ log a db, where 0 · log 0 counts as 0
Var pow(V a, V b) {
  if (autocast::meet(a, b)) return pow(autocast::half(a), autocast::half(b));
  return record(
      "pow", kernel::pow(a.value(), b.value()), {a, b},  //
      [](V g, In<0> a, In<1> b) {
        // At a = b = 0 the derivative is 0, but 0 · 0⁻¹ would be NaN; any exponent but −1 will do there.
        const Tensor zero = Tensor::zeros({}, a.dtype());
        const Tensor known = kernel::logical_or(not_equal(a, zero), not_equal(b, zero));
        return g * b * pow(a, where(known, b, Var(Tensor::ones({}, b.dtype()))) - 1.0);
      },
      [](V g, In<0> a, In<1> b) {
        const Tensor positive = a > 0.0, none = Tensor::zeros({}, a.dtype());
        return where(positive, g * pow(a, b) * log(where(positive, a, Var(Tensor::ones({}, a.dtype())))), none);
      });
}

Var maximum(V a, V b) {
  if (autocast::meet(a, b)) return maximum(autocast::half(a), autocast::half(b));
  return record(
      "maximum", kernel::maximum(a.value(), b.value()), {a, b},
      [](V g, In<0> a, In<1> b) { return g * winner_share(a.value(), b.value()); },   // mask
      [](V g, In<0> a, In<1> b) { return g * winner_share(b.value(), a.value()); });  // mask
}

Var minimum(V a, V b) {
  if (autocast::meet(a, b)) return minimum(autocast::half(a), autocast::half(b));
  return record(
      "minimum", kernel::minimum(a.value(), b.value()), {a, b},
      [](V g, In<0> a, In<1> b) { return g * winner_share(b.value(), a.value()); },   // mask
      [](V g, In<0> a, In<1> b) { return g * winner_share(a.value(), b.value()); });  // mask
}

}  // namespace attend
