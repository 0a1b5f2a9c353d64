#include "nn/layer_norm.hpp"

#include <stdexcept>

namespace attend {

LayerNorm::LayerNorm(Size size, double eps) : epsilon(eps) {
  if (size < 1) throw std::invalid_argument("layer_norm: size " + std::to_string(size) + "; it is at least 1");
  gain = Var::parameter(Tensor::ones({size}));
  bias = Var::parameter(Tensor::zeros({size}));
}

Var LayerNorm::operator()(const Var& x) const {
  if (x.rank() == 0 || x.shape().back() != gain.shape()[0]) {
    throw std::invalid_argument("layer_norm: x " + text(x.shape()) + " does not fit the gain " + text(gain.shape()));
  }
  return standardize(x, epsilon) * gain + bias;
}

void LayerNorm::parameters(const Visit& visit) {
  visit("gain", gain);
  visit("bias", bias);
}

}  // namespace attend
