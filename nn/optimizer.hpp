// Optimizers: one step down the gradient. They put a new leaf in the place of every parameter; old graphs stay right,
// and tied parameters are stepped once and stay tied.
#pragma once
#include <vector>

#include "nn/parameters.hpp"

namespace attend {

/// The common norm of all gradients, √Σ‖g‖²; not finite when one of their elements is not.
double norm_of(const Vars& gradients);

/// Scales all gradients by one factor so that their common norm √Σ‖g‖² is at most `largest`; smaller ones stay as they
/// are. Returns the norm before. Pascanu et al. 2012 (arXiv:1211.5063). Throws std::invalid_argument, and changes
/// nothing, when the norm is not finite or `largest` is not positive.
double clip_by_norm(Vars& gradients, double largest);

/// What the optimizers share. `gradients` are those of parameters(model), in that order.
class Optimizer {
 public:
  double learning_rate;

  explicit Optimizer(double rate) : learning_rate(rate) {}
  virtual ~Optimizer() = default;

  /// Throws std::invalid_argument, and changes nothing, when number, shapes or dtypes of gradients and parameters
  /// disagree, or when the parameters are not those of the steps before.
  template <class Model>
  void step(Model& model, const Vars& gradients) {
    check(parameters(model), gradients);
    ++steps_;
    rebind(model, [&](const Var& parameter, std::size_t place) {
      return updated(parameter.value(), gradients[place].value(), place);
    });
  }
  /// The number of steps made.
  Size steps() const { return steps_; }

 protected:
  /// The new value of the parameter at this place.
  virtual Tensor updated(const Tensor& w, const Tensor& g, std::size_t place) = 0;
  /// What an optimizer remembers of each parameter: zeros in the beginning.
  static Tensor& slot(std::vector<Tensor>& slots, std::size_t place, const Tensor& w);

 private:
  void check(const Vars& parameters, const Vars& gradients);
  Size steps_ = 0;
  std::vector<Tensor> forms_;  // shapes and dtypes of the parameters, without numbers
};

/// Stochastic gradient descent.   b = momentum · b + g,   w = w − rate · b;   with Nesterov's look-ahead
/// w = w − rate · (g + momentum · b). `weight_decay` adds weight_decay · w to g. As in PyTorch, b begins as g.
class SGD : public Optimizer {
 public:
  explicit SGD(double rate, double momentum = 0, bool nesterov = false, double weight_decay = 0)
      : Optimizer(rate), momentum_(momentum), weight_decay_(weight_decay), nesterov_(nesterov) {}

 protected:
  Tensor updated(const Tensor& w, const Tensor& g, std::size_t place) override;

 private:
  double momentum_, weight_decay_;
  bool nesterov_;
  std::vector<Tensor> velocity_;
};

struct AdamOptions {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weight_decay = 0;
};

/// Adam. Kingma and Ba 2014 (arXiv:1412.6980).
///   m = β₁ m + (1 − β₁) g      v = β₂ v + (1 − β₂) g²
///   w = w − rate · m̂ / (√v̂ + ε)   with m̂ = m / (1 − β₁ᵗ), v̂ = v / (1 − β₂ᵗ)
/// `weight_decay` adds weight_decay · w to g.
class Adam : public Optimizer {
 public:
  explicit Adam(double rate, const AdamOptions& options = {}) : Optimizer(rate), options_(options) {}

 protected:
  Tensor updated(const Tensor& w, const Tensor& g, std::size_t place) override;
  Tensor moved(const Tensor& w, const Tensor& g, std::size_t place);
  AdamOptions options_;

 private:
  std::vector<Tensor> mean_, square_;
};

/// Adam with decoupled weight decay: w shrinks by rate · weight_decay · w apart from the step. Loshchilov and Hutter
/// 2017 (arXiv:1711.05101).
class AdamW : public Adam {
 public:
  explicit AdamW(double rate, AdamOptions options = {0.9, 0.999, 1e-8, 0.01}) : Adam(rate, options) {}

 protected:
  Tensor updated(const Tensor& w, const Tensor& g, std::size_t place) override;
};

/// RMSprop. Hinton, Coursera lecture 6e (2012).   v = α v + (1 − α) g²,   w = w − rate · g / (√v + ε)
class RMSprop : public Optimizer {
 public:
  explicit RMSprop(double rate, double alpha = 0.99, double epsilon = 1e-8)
      : Optimizer(rate), alpha_(alpha), epsilon_(epsilon) {}

 protected:
  Tensor updated(const Tensor& w, const Tensor& g, std::size_t place) override;

 private:
  double alpha_, epsilon_;
  std::vector<Tensor> square_;
};

}  // namespace attend
