#include "tutorials/01_numbers_and_gradients/kept.hpp"

#include "autograd/ops.hpp"
#include "tensor/live.hpp"
#include "tensor/random.hpp"

namespace attend::chapter01 {

std::vector<Rule> rules() {
  return {
      {"x + y", "g and g", 0, [](const Var& x, const Var& y) { return x + y; }},
      {"sum(x)", "g, everywhere", 0, [](const Var& x, const Var&) { return sum(x); }},
      {"exp(x)", "g · out", 1, [](const Var& x, const Var&) { return exp(x); }},
      {"tanh(x)", "g · (1 − out²)", 1, [](const Var& x, const Var&) { return tanh(x); }},
      {"softplus(x)", "g · σ(x)", 1, [](const Var& x, const Var&) { return softplus(x); }},
      {"softmax(x)", "out · (g − Σ g · out)", 1, [](const Var& x, const Var&) { return softmax(x); }},
      {"x · y", "g · y and g · x", 2, [](const Var& x, const Var& y) { return x * y; }},
      {"x · constant", "g · constant", 1, [](const Var& x, const Var& y) { return x * detach(y); }},
      {"tanh(x · y)", "both of the above", 3, [](const Var& x, const Var& y) { return tanh(x * y); }},
  };
}

double tensors_kept(const Rule& rule) {
  Rng rng(1);
  const Shape shape = {256, 256};
  const Var p = Var::parameter(rng.normal(shape, 0, 1)), q = Var::parameter(rng.normal(shape, 0, 1));
  const auto before = live().bytes;
  std::shared_ptr<Node> history;
  {
    // p · 1 keeps nothing, so that x and y are numbers nobody holds but the op under test.
    const Var x = p * 1.0, y = q * 1.0;
    history = rule.apply(x, y).node();
  }
  const auto of_one = element_count(shape) * width(p.dtype());
  return static_cast<double>(live().bytes - before) / static_cast<double>(of_one);
}

}  // namespace attend::chapter01
