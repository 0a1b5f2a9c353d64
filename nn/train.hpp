// One step of training, with an eye on values that are not finite.
#pragma once
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "autograd/finite.hpp"
#include "nn/loss_scale.hpp"
#include "nn/optimizer.hpp"
#include "tensor/random.hpp"

namespace attend {

struct TrainOptions {
  Size step = 0;                                               // its number, from 1, for the message of NotFinite
  double clip_norm = std::numeric_limits<double>::infinity();  // gradients with a larger norm are scaled down to it
  LossScaler* scaler = nullptr;                                // for losses that are computed in float16
};

struct TrainResult {
  double loss;
  double gradient_norm;  // before clipping; not finite when the scaler has skipped the step
};

namespace detail {

// The first parameter that is not finite, if any.
const NamedVar* first_not_finite(const std::vector<NamedVar>& named);

// Runs a step, of which `what` was found to be `number`, once more under a FiniteWatch. Throws what that finds.
[[noreturn]] void find_first_not_finite(const std::vector<NamedVar>& named, const std::function<Var()>& loss_of,
                                        const char* what, double number, const TrainOptions& options);
// Throws, of a step that was too large.
[[noreturn]] void fail_update(const NamedVar& parameter, double learning_rate, double gradient_norm,
                              const TrainOptions& options);

}  // namespace detail

/// One step: the loss, its gradients, clipping, and the optimizer's step.
///
///   const auto [loss, norm] = train_step(model, adam, [&](const Model& m, Rng& rng) { return ...; }, rng, {t, 1.0});
///
/// `loss_of(model, rng)` returns a Var of one element, and given the same two always the same.
///
/// When the loss, a gradient or an updated parameter is not finite, throws NotFinite: it says at which step, in which
/// op with which shapes the value first appeared, in which pass, and names the first parameter that is affected: one
/// that was not finite before the step, or else the first whose gradient or new value is not. To find the op, the step
/// is run again from the same random numbers under a FiniteWatch; a step that goes well is not slowed down by that.
/// Model, optimizer and rng are then as they were before the step, and so they are whatever else is thrown.
///
/// With a scaler, gradients that are not finite are taken for a sign of a scale that is too large: the step is skipped,
/// model and optimizer stay as they are, and the next step has half the scale. Only at the scale 1 it stops as above.
template <class Model, class ConcreteOptimizer, class LossOf>
TrainResult train_step(Model& model, ConcreteOptimizer& optimizer, const LossOf& loss_of, Rng& rng,
                       const TrainOptions& options = {}) {
  static_assert(!std::is_abstract_v<ConcreteOptimizer>, "the optimizer is copied: pass an Adam &, not an Optimizer &");
  struct Draws {  // what was drawn in a step that fails is not drawn
    Rng& rng;
    const Rng before = rng;
    bool made = false;
    ~Draws() {
      if (!made) rng = before;
    }
  } draws{rng};
  const std::vector<NamedVar> before = named_parameters(model);
  const auto stop = [&](const char* what, double number) {
    const auto once_more = [&] {
      Rng again = draws.before;
      return loss_of(std::as_const(model), again);
    };
    detail::find_first_not_finite(before, once_more, what, number, options);
  };

  Var loss = loss_of(std::as_const(model), rng);
  const double value = loss.item();
  if (!std::isfinite(value)) stop("the loss", value);
  Vars gradients = scaled_gradients(std::move(loss), distinct(before), options.scaler);
  const double norm = norm_of(gradients);
  if (!std::isfinite(norm)) {
    if (!options.scaler || !options.scaler->skip()) stop("the norm of the gradients", norm);
    draws.made = true;
    return {value, norm};
  }
  clip_by_norm(gradients, options.clip_norm);

  const ConcreteOptimizer optimizer_before = optimizer;
  optimizer.step(model, gradients);
  const std::vector<NamedVar> after = named_parameters(model);
  if (const NamedVar* broken = detail::first_not_finite(after)) {
    std::size_t i = 0;
    model.parameters(Visit([&](const std::string&, Var& parameter) { parameter = before[i++].second; }));
    optimizer = optimizer_before;
    detail::fail_update(*broken, optimizer.learning_rate, norm, options);
  }
  if (options.scaler) options.scaler->good_step();
  draws.made = true;
  return {value, norm};
}

}  // namespace attend
