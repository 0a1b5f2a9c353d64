#include "nn/linear.hpp"

#include <stdexcept>

namespace attend {

Linear::Linear(Size in, Size out, Rng& rng, bool with_bias) {
  if (in < 1 || out < 1) {
    throw std::invalid_argument("linear: sizes in " + std::to_string(in) + " and out " + std::to_string(out) +
                                " must be positive");
  }
  weight = xavier_uniform(in, out, rng);
  if (with_bias) bias = Var::parameter(Tensor::zeros({out}));
}

Var Linear::operator()(const Var& x) const {
  if (x.rank() == 0 || x.shape().back() != weight.shape()[0]) {
    throw std::invalid_argument("linear: x " + text(x.shape()) + " does not fit the weight " + text(weight.shape()));
  }
  return bias.defined() ? linear(x, weight, bias) : matmul(x, weight);
}

void Linear::parameters(const Visit& visit) {
  visit("weight", weight);
  visit("bias", bias);
}

}  // namespace attend
