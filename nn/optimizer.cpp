#include "nn/optimizer.hpp"

#include <cmath>
#include <stdexcept>

#include "tensor/kernels.hpp"

namespace attend {
namespace {

using kernel::blend;

Tensor with_decay(const Tensor& w, const Tensor& g, double weight_decay) {
  return weight_decay == 0 ? g : blend(1, g, weight_decay, w);
}

}  // namespace

double norm_of(const Vars& gradients) {
  double squares = 0;
  for (const Var& g : gradients) {
    const Tensor exact = kernel::cast(g.value(), DType::float64);
    squares += kernel::sum(kernel::mul(exact, exact), all_axes(g.rank()), false).item();
  }
  return std::sqrt(squares);
}

double clip_by_norm(Vars& gradients, double largest) {
  if (!(largest > 0)) {
    throw std::invalid_argument("clip_by_norm: the largest norm is " + std::to_string(largest) +
                                "; it must be positive");
  }
  const double norm = norm_of(gradients);
  if (!std::isfinite(norm)) {
    throw std::invalid_argument("clip_by_norm: the norm of the gradients is " + std::to_string(norm) +
                                "; look for the first value that is not finite");
  }
  if (norm > largest) {
    for (Var& g : gradients) g = Var(kernel::affine(g.value(), largest / norm, 0));
  }
  return norm;
}

void Optimizer::check(const Vars& parameters, const Vars& gradients) {
  if (parameters.size() != gradients.size()) {
    throw std::invalid_argument("optimizer: " + std::to_string(gradients.size()) + " gradients for " +
                                std::to_string(parameters.size()) + " parameters");
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].shape() != gradients[i].shape()) {
      throw std::invalid_argument("optimizer: gradient " + text(gradients[i].shape()) + " for parameter " +
                                  std::to_string(i) + " " + text(parameters[i].shape()));
    }
    check_same_dtype("optimizer", parameters[i].value(), gradients[i].value());
  }
  if (steps_ == 0) {
    for (const Var& parameter : parameters) forms_.push_back(parameter.value().without_data());
  }
  bool same = forms_.size() == parameters.size();
  for (std::size_t i = 0; same && i < forms_.size(); ++i) {
    same = forms_[i].shape() == parameters[i].shape() && forms_[i].dtype() == parameters[i].dtype();
  }
  if (!same) {
    throw std::invalid_argument("optimizer: these parameters are not those of the " + std::to_string(steps_) +
                                " steps before; each model needs an optimizer of its own");
  }
}

Tensor& Optimizer::slot(std::vector<Tensor>& slots, std::size_t place, const Tensor& w) {
  if (slots.size() <= place) slots.resize(place + 1);
  if (!slots[place].defined()) slots[place] = Tensor::zeros(w.shape(), w.dtype());
  return slots[place];
}

Tensor SGD::updated(const Tensor& w, const Tensor& gradient, std::size_t place) {
  const Tensor g = with_decay(w, gradient, weight_decay_);
  Tensor& velocity = slot(velocity_, place, w);
  velocity = blend(momentum_, velocity, 1, g);
  return blend(1, w, -learning_rate, nesterov_ ? blend(1, g, momentum_, velocity) : velocity);
}

Tensor Adam::moved(const Tensor& w, const Tensor& g, std::size_t place) {
  const auto [beta1, beta2, epsilon, decay] = options_;
  const auto t = static_cast<double>(steps());
  Tensor &mean = slot(mean_, place, w), &square = slot(square_, place, w);
  mean = blend(beta1, mean, 1 - beta1, g);
  square = blend(beta2, square, 1 - beta2, kernel::mul(g, g));
  const Tensor root = kernel::sqrt(kernel::affine(square, 1 / (1 - std::pow(beta2, t)), 0));
  const Tensor direction = kernel::div(mean, kernel::affine(root, 1, epsilon));
  return blend(1, w, -learning_rate / (1 - std::pow(beta1, t)), direction);
}

Tensor Adam::updated(const Tensor& w, const Tensor& g, std::size_t place) {
  return moved(w, with_decay(w, g, options_.weight_decay), place);
}

Tensor AdamW::updated(const Tensor& w, const Tensor& g, std::size_t place) {
  return moved(kernel::affine(w, 1 - learning_rate * options_.weight_decay, 0), g, place);
}

Tensor RMSprop::updated(const Tensor& w, const Tensor& g, std::size_t place) {
  Tensor& square = slot(square_, place, w);
  square = blend(alpha_, square, 1 - alpha_, kernel::mul(g, g));
  return blend(1, w, -learning_rate, kernel::div(g, kernel::affine(kernel::sqrt(square), 1, epsilon_)));
}

}  // namespace attend
