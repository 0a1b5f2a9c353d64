// Solution of exercise 1:   d(x σ(x)) = (σ(x) + x σ(x) (1 − σ(x))) dx
#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tutorials/01_numbers_and_gradients/exercise_1_swish.hpp"

namespace attend::chapter01 {

Var swish(const Var& x) {
  const Tensor value = (detach(x) * sigmoid(detach(x))).value();
  return record("swish", value, {x}, [](V g, In<0> x) {
    const Var s = sigmoid(x);
    return g * (s + x * s * (1.0 - s));
  });
}

std::vector<SwishAnswer> swish_answers() { return {{"the solution", swish}}; }

}  // namespace attend::chapter01
