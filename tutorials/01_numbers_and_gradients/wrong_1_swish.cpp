// Wrong answers to exercise 1, each with the bug that the check must name.
#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tutorials/01_numbers_and_gradients/exercise_1_swish.hpp"

namespace attend::chapter01 {
namespace {

Tensor value_of(const Var& x) { return (detach(x) * sigmoid(detach(x))).value(); }

namespace unsolved {
Var swish(const Var& x) {
  return record("swish", value_of(x), {x}, [](V g, In<0> x) { return 0.0 * g * x; });
}
}  // namespace unsolved

namespace wrong_shape {
Var swish(const Var& x) {
  return record("swish", sum(Var(value_of(x))).value(), {x}, [](V g, In<0> x) {
    const Var s = sigmoid(x);
    return g * (s + x * s * (1.0 - s));
  });
}
}  // namespace wrong_shape

namespace wrong_value {
Var swish(const Var& x) {
  return record("swish", sigmoid(detach(x)).value(), {x}, [](V g, In<0> x) {
    const Var s = sigmoid(x);
    return g * (s * (1.0 - s));
  });
}
}  // namespace wrong_value

namespace no_cotangent {
Var swish(const Var& x) {
  return record("swish", value_of(x), {x}, [](V, In<0> x) {
    const Var s = sigmoid(x);
    return s + x * s * (1.0 - s);
  });
}
}  // namespace no_cotangent

namespace x_held_fixed {
Var swish(const Var& x) {
  return record("swish", value_of(x), {x}, [](V g, In<0> x) {
    const Var s = sigmoid(x);
    return g * (x * s * (1.0 - s));
  });
}
}  // namespace x_held_fixed

namespace sigmoid_held_fixed {
Var swish(const Var& x) {
  return record("swish", value_of(x), {x}, [](V g, In<0> x) { return g * sigmoid(x); });
}
}  // namespace sigmoid_held_fixed

namespace product_of_slopes {
Var swish(const Var& x) {
  return record("swish", value_of(x), {x}, [](V g, In<0> x) {
    const Var s = sigmoid(x);
    return g * (s * (1.0 - s));
  });
}
}  // namespace product_of_slopes

namespace output_for_sigmoid {
Var swish(const Var& x) {
  return record("swish", value_of(x), {x}, [](V g, In<0> x, Out y) { return g * (sigmoid(x) + x * y * (1.0 - y)); });
}
}  // namespace output_for_sigmoid

namespace wrong_sign {
Var swish(const Var& x) {
  return record("swish", value_of(x), {x}, [](V g, In<0> x) {
    const Var s = sigmoid(x);
    return -(g * (s + x * s * (1.0 - s)));
  });
}
}  // namespace wrong_sign

namespace history_cut {
Var swish(const Var& x) {
  return record("swish", value_of(x), {x}, [](V g, In<0> x_) {
    const Var x = detach(x_), s = sigmoid(x);
    return g * (s + x * s * (1.0 - s));
  });
}
}  // namespace history_cut

}  // namespace

std::vector<SwishAnswer> swish_answers() {
  return {
      {"the hole is not filled", unsolved::swish, "still returns 0"},
      {"the sum of the values", wrong_shape::swish, "has another shape"},
      {"σ(x) in place of x · σ(x)", wrong_value::swish, "σ(x) alone"},
      {"g left out", no_cotangent::swish, "does not use g"},
      {"the slope of x left out", x_held_fixed::swish, "first term of the product rule"},
      {"the slope of σ left out", sigmoid_held_fixed::swish, "second term of the product rule"},
      {"the slopes multiplied", product_of_slopes::swish, "product of the two slopes"},
      {"y (1 − y) in place of σ (1 − σ)", output_for_sigmoid::swish, "output of swish stands where σ(x) belongs"},
      {"a sign", wrong_sign::swish, "sign"},
      {"detach in the rule", history_cut::swish, "cuts the history"},
  };
}

}  // namespace attend::chapter01
