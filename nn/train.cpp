#include "nn/train.hpp"

#include <cstdio>

namespace attend {
namespace {

std::string where(const TrainOptions& options) {
  return options.step > 0 ? "step " + std::to_string(options.step) + ": " : "";
}

[[noreturn]] void fail(const NotFinite& found, const std::string& message, const std::string& parameter,
                       const TrainOptions& options) {
  NotFinite error(message);
  error.pass = found.pass;
  error.op = found.op;
  error.inputs = found.inputs;
  error.output = found.output;
  error.inputs_finite = found.inputs_finite;
  error.step = options.step;
  error.parameter = parameter;
  throw error;
}

// The first parameter whose gradient is not finite, by its name; empty when there is none.
std::string first_affected(const std::vector<NamedVar>& named, const std::function<Var()>& loss_of) {
  Vars parameters;
  for (const auto& [name, parameter] : named) parameters.push_back(parameter);
  const Vars gradients = grad(loss_of(), parameters);
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (!all_finite(gradients[i].value())) return named[i].first;
  }
  return "";
}

}  // namespace

const NamedVar* detail::first_not_finite(const std::vector<NamedVar>& named) {
  for (const NamedVar& parameter : named) {
    if (!all_finite(parameter.second.value())) return &parameter;
  }
  return nullptr;
}

void detail::find_first_not_finite(const std::vector<NamedVar>& named, const std::function<Var()>& loss_of,
                                   const char* what, double number, const TrainOptions& options) {
  const std::string symptom = where(options) + what + (std::isnan(number) ? " is NaN; " : " is infinite; ");
  std::string parameter, affected;
  if (const NamedVar* broken = first_not_finite(named)) {
    parameter = broken->first;
    affected = "parameter \"" + parameter + "\" was not finite before the step";
  } else if (parameter = first_affected(named, loss_of); !parameter.empty()) {
    affected = "the first parameter it reaches is \"" + parameter + "\", whose gradient is not finite";
  } else {
    affected = "the gradient of every parameter is finite still";
  }
  try {
    const FiniteWatch watch;
    grad(loss_of(), distinct(named));
  } catch (const NotFinite& found) {
    fail(found, symptom + "first, " + found.what() + "; " + affected, parameter, options);
  }
  fail(NotFinite(""), symptom + "run again, every op was finite: does the loss depend on more than model and rng?",
       parameter, options);
}

void detail::fail_update(const NamedVar& parameter, double learning_rate, double gradient_norm,
                         const TrainOptions& options) {
  const auto& [name, var] = parameter;
  char numbers[80];
  std::snprintf(numbers, sizeof numbers, "learning rate %g, norm of the gradients %g", learning_rate, gradient_norm);
  NotFinite found("");
  found.pass = Pass::update;
  found.output = var.shape();
  fail(found,
       where(options) + "the update made parameter \"" + name + "\" " + text(var.shape()) + " not finite; " + numbers,
       name, options);
}

}  // namespace attend
