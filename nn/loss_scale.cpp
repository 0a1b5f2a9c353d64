#include "nn/loss_scale.hpp"

#include <cmath>
#include <stdexcept>

#include "autograd/grad.hpp"
#include "tensor/kernels.hpp"

namespace attend {

LossScaler::LossScaler(double scale, Size steps_to_grow) : scale_(scale), steps_to_grow_(steps_to_grow) {
  const bool power_of_two = std::isfinite(scale) && scale >= 1 && std::log2(scale) == std::floor(std::log2(scale));
  if (power_of_two && steps_to_grow >= 1) return;
  throw std::invalid_argument("loss scaler: scale " + std::to_string(scale) + ", growing after " +
                              std::to_string(steps_to_grow) +
                              " steps; it is a power of two from 1 on, after 1 or more");
}

void LossScaler::good_step() {
  if (++good_steps_ < steps_to_grow_) return;
  scale_ *= 2;
  good_steps_ = 0;
}

bool LossScaler::skip() {
  if (scale_ <= 1) return false;
  scale_ /= 2;
  good_steps_ = 0;
  ++skipped_;
  return true;
}

Vars scaled_gradients(Var loss, const Vars& xs, const LossScaler* scaler) {
  if (!scaler) return grad(std::move(loss), xs);
  const Var scale(Tensor::full(loss.shape(), scaler->scale(), loss.dtype()));
  Vars gradients = grad(std::move(loss), xs, scale);
  for (Var& g : gradients) g = Var(kernel::affine(g.value(), 1 / scaler->scale(), 0));
  return gradients;
}

}  // namespace attend
