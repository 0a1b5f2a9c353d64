// The op that README.md adds, and the checks of its gradient.
#include <doctest/doctest.h>

#include "autograd/grad.hpp"
#include "autograd/gradcheck.hpp"
#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace {

using namespace attend;

/// softsign(x) = x / (1 + |x|)      d softsign x = (1 − |softsign x|)² dx
Var softsign(V x) {
  const Tensor value = kernel::div(x.value(), kernel::affine(kernel::abs(x.value()), 1, 1));
  return record("softsign", value, {x}, [](V g, Out y) { return g * pow(1.0 - abs(y), 2); });
}

// The same with a mistake: the square is missing.
Var wrong_softsign(V x) {
  return record("softsign", softsign(x).value(), {x}, [](V g, Out y) { return g * (1.0 - abs(y)); });
}

TEST_CASE("the op that README.md adds, its derivative, and the derivative of that") {
  const Var x = Var::parameter(Tensor::full({}, 3, DType::float64));
  const Var y = softsign(x);
  CHECK(y.item() == 0.75);
  const Var slope = grad(y, {x}, {}, true)[0];
  CHECK(slope.item() == 1.0 / 16);                 // 1 / (1 + x)²
  CHECK(grad(slope, {x})[0].item() == -2.0 / 64);  // −2 / (1 + x)³
}

TEST_CASE("the gradient check of README.md passes") {
  const Tensor x = Tensor::from({-2, -0.5, 0.25, 3}, {2, 2}, DType::float64);
  const GradcheckReport report = gradcheck("softsign", [](const Vars& xs) { return softsign(xs[0]); }, {x});
  CHECK_MESSAGE(report.passed(), report.text());
}

TEST_CASE("the gradient check of README.md says what is wrong with the wrong rule") {
  const Tensor x = Tensor::from({-2, -0.5, 0.25, 3}, {2, 2}, DType::float64);
  GradcheckOptions options;
  options.order = 1;
  const GradcheckReport report = gradcheck(
      "softsign", [](const Vars& xs) { return wrong_softsign(xs[0]); }, {x}, options);
  CHECK_FALSE(report.passed());
  CHECK("\n" + report.text() == R"(
softsign: WRONG
  order 1 input 0 [2, 2]         at    2:  8.687559e-01 |  6.950047e-01  2.0e-01
)");
}

}  // namespace
