// Exercise 1: write a derivative rule.
//
// swish(x) = x · σ(x) with σ(x) = 1 / (1 + exp(−x)). Ramachandran, Zoph and Le 2017 (arXiv:1710.05941).
//
// A rule gets the cotangent g of the output and returns that of the input: g times the slope of swish at x.
// On paper first: the slope of a product has two terms, and the slope of σ is σ(x) (1 − σ(x)).
// Write it in ops (*, +, −, sigmoid), not in numbers, so that it has a derivative of its own.
#include "tutorials/01_numbers_and_gradients/exercise_1_swish.hpp"

#include "autograd/ops.hpp"
#include "autograd/record.hpp"

namespace attend::chapter01 {

Var swish(const Var& x) {
  const Tensor value = (detach(x) * sigmoid(detach(x))).value();
  return record("swish", value, {x}, [](V g, In<0> x) {
    // Your rule goes here, in place of this line.
    return 0.0 * g * x;
  });
}

std::vector<SwishAnswer> swish_answers() { return {{"yours", swish}}; }

}  // namespace attend::chapter01
