// Dynamic loss scaling. Micikevicius et al. 2018 (arXiv:1710.03740), section 3.2.
#pragma once
#include "autograd/var.hpp"

namespace attend {

/// float16 ends at 2⁻²⁴: smaller cotangents become 0, and what lies before them in the network learns nothing. So the
/// backward pass begins with a large scale in the place of 1, and the gradients, which arrive in float32, are divided
/// by it. The scale is halved whenever a gradient is not finite, and that step is skipped; it is doubled after
/// `steps_to_grow` good steps in a row, so that it stays near the largest that fits. It is a power of two, which
/// changes no digit of a number.
///
///     LossScaler scaler;
///     train_step(model, adam, loss_of, rng, {t, 1.0, &scaler});
///
/// bfloat16 has the exponents of float32 and needs none.
class LossScaler {
 public:
  /// Throws std::invalid_argument when `scale` is no power of two from 1 on, or steps_to_grow is below 1.
  explicit LossScaler(double scale = 65536, Size steps_to_grow = 2000);

  double scale() const { return scale_; }
  /// The number of steps that were skipped.
  Size skipped() const { return skipped_; }

  /// After a step whose gradients were finite.
  void good_step();
  /// After one whose gradients were not: halves the scale. At 1 it gives up: returns false, and nothing changes.
  bool skip();

 private:
  double scale_;
  Size steps_to_grow_, good_steps_ = 0, skipped_ = 0;
};

/// The gradients of `loss`, computed at the scaler's scale and divided by it; grad(loss, xs) without a scaler.
Vars scaled_gradients(Var loss, const Vars& xs, const LossScaler* scaler);

}  // namespace attend
