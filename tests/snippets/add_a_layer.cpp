// The layer that README.md adds, a few steps of learning with it, and the check of its gradients.
#include <doctest/doctest.h>

#include "nn/gradcheck.hpp"
#include "nn/linear.hpp"
#include "nn/loss.hpp"
#include "nn/optimizer.hpp"

namespace {

using namespace attend;

/// Gated linear unit. Dauphin et al. 2017 (arXiv:1612.08083).   y = (x W + b) ∘ σ(x V + c)
/// x [..., in] -> y [..., out]
struct GatedLinear {
  Linear value, gate;  // W and b, V and c

  GatedLinear(Size in, Size out, Rng& rng) : value(in, out, rng), gate(in, out, rng) {}
  Var operator()(const Var& x) const { return value(x) * sigmoid(gate(x)); }
  void parameters(const Visit& visit) {
    visit("value", value);
    visit("gate", gate);
  }
};

// Steps down the gradient of the layer's error on one batch; the error before and after.
std::pair<double, double> learn(int steps) {
  Rng rng(1);
  GatedLinear layer(3, 2, rng);
  SGD optimizer(0.1);
  const Var x = rng.normal({8, 3}, 0, 1);
  const Var target = rng.normal({8, 2}, 0, 1);
  const double before = mean_squared_error(layer(x), target).item();
  for (int step = 0; step < steps; ++step) {
    Var loss = mean_squared_error(layer(x), target);
    optimizer.step(layer, grad(std::move(loss), parameters(layer)));
  }
  return {before, mean_squared_error(layer(x), target).item()};
}

TEST_CASE("the layer that README.md adds has parameters with names, and learns") {
  Rng rng(1);
  const GatedLinear layer(3, 2, rng);
  CHECK(layer(Tensor::ones({4, 5, 3})).shape() == Shape{4, 5, 2});
  CHECK(parameter_count(layer) == 2 * (3 * 2 + 2));
  CHECK(named_parameters(layer)[2].first == "gate.weight");

  const auto [before, after] = learn(100);
  CHECK(after < 0.8 * before);
}

TEST_CASE("the gradients of the layer, with respect to its input and its parameters, are right") {
  Rng rng(1);
  const GatedLinear gated(3, 2, rng);
  const Tensor x = rng.normal({4, 3}, 0, 1, DType::float64);
  const GradcheckReport report = gradcheck_layer(
      "gated linear", gated, {x}, [](const GatedLinear& layer, const Vars& inputs) { return layer(inputs[0]); });
  CHECK_MESSAGE(report.passed(), report.text());
}

}  // namespace
