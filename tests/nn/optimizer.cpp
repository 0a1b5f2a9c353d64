#include "nn/optimizer.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/nn/layers.hpp"
#include "tests/support/special.hpp"

using namespace attend;
using namespace attend::test;

namespace {

struct One {
  Var w = Var::parameter(numbers({1}, {1}));
  void parameters(const Visit& visit) { visit("w", w); }
};

struct Two {
  Var a = Var::parameter(numbers({1, 2}, {2})), b = Var::parameter(numbers({3, 4, 5}, {3}));
  void parameters(const Visit& visit) {
    visit("a", a);
    visit("b", b);
  }
};

// w after each step with one of the gradients, from w = 1.
template <class Concrete>
std::vector<double> steps(Concrete optimizer, const std::vector<double>& gradients = {0.5, -0.25, 0}) {
  One model;
  std::vector<double> values;
  for (double g : gradients) {
    optimizer.step(model, {Var(numbers({g}, {1}))});
    values.push_back(model.w.item());
  }
  return values;
}

template <class Concrete>
void check_steps(const Concrete& optimizer, const std::vector<double>& expected) {
  check_close(Var(numbers(steps(optimizer), {3})), {3}, expected, 5e-10);
}

}  // namespace

TEST_CASE("three steps of SGD, with momentum, Nesterov's look-ahead and weight decay") {
  check_steps(SGD(0.1), {0.95, 0.975, 0.975});
  check_steps(SGD(0.1, 0.9), {0.95, 0.93, 0.912});
  check_steps(SGD(0.1, 0.9, true), {0.905, 0.912, 0.8958});
  // g + 0.1 w: 0.6, then -0.25 + 0.094, then 0.0956
  check_steps(SGD(0.1, 0, false, 0.1), {0.94, 0.9556, 0.946044});
}

TEST_CASE("three steps of Adam, of Adam with L2, and of AdamW") {
  check_steps(Adam(0.1), {0.900000002, 0.8733662987, 0.852778369});
  AdamOptions options;
  options.weight_decay = 0.1;
  check_steps(Adam(0.1, options), {0.9000000017, 0.8544413675, 0.8108375641});
  check_steps(AdamW(0.1, options), {0.890000002, 0.8544662987, 0.825333706});
}

TEST_CASE("the options of Adam are used as in its formula") {
  AdamOptions options;
  options.beta1 = 0.5;
  options.beta2 = 0.75;
  options.epsilon = 0.5;
  double w = 1, m = 0, v = 0;
  std::vector<double> expected;
  const std::vector<double> gradients = {0.5, -0.25, 2};
  for (int t = 1; t <= 3; ++t) {
    const double g = gradients[static_cast<std::size_t>(t - 1)];
    m = 0.5 * m + 0.5 * g;
    v = 0.75 * v + 0.25 * g * g;
    w -= 0.1 * (m / (1 - std::pow(0.5, t))) / (std::sqrt(v / (1 - std::pow(0.75, t))) + 0.5);
    expected.push_back(w);
  }
  check_close(Var(numbers(steps(Adam(0.1, options), gradients), {3})), {3}, expected, 1e-15);
}

TEST_CASE("three steps of RMSprop") {
  double w = 1, v = 0;
  std::vector<double> expected;
  for (double g : {0.5, -0.25, 0.0}) {
    v = 0.9 * v + 0.1 * g * g;
    w -= 0.01 * g / (std::sqrt(v) + 1e-3);
    expected.push_back(w);
  }
  check_steps(RMSprop(0.01, 0.9, 1e-3), expected);
  check_close(steps(RMSprop(0.1))[0], 1 - 0.1 * 0.5 / (0.05 + 1e-8), 1e-15);
}

TEST_CASE("a learning rate that changes between steps is used at once") {
  One model;
  SGD sgd(0.1);
  sgd.step(model, {Var(numbers({1}, {1}))});
  sgd.learning_rate = 0.01;
  sgd.step(model, {Var(numbers({1}, {1}))});
  check_close(model.w.item(), 0.89, 1e-15);
  CHECK(sgd.steps() == 2);
}

TEST_CASE("each parameter has its own gradient and its own memory") {
  Two model;
  SGD sgd(0.1, 0.9);
  sgd.step(model, {Var(numbers({1, 2}, {2})), Var(numbers({3, 0, -1}, {3}))});
  sgd.step(model, {Var(numbers({0, 0}, {2})), Var(numbers({0, 0, 0}, {3}))});
  check_close(model.a, {2}, {1 - 0.19, 2 - 0.38}, 1e-15);
  check_close(model.b, {3}, {3 - 0.57, 4, 5 + 0.19}, 1e-15);
}

TEST_CASE("a parameter without elements is stepped like any other") {
  Two model;
  model.a = Var::parameter(numbers({}, {0}));
  Adam adam(0.1);
  adam.step(model, {Var(numbers({}, {0})), Var(numbers({1, 1, 1}, {3}))});
  check_close(model.a, {0}, {}, 0);
  check_close(model.b, {3}, {2.9, 3.9, 4.9}, 1e-8);
}

TEST_CASE("tied parameters are stepped once and stay tied") {
  Two model;
  model.b = model.a;
  SGD sgd(0.1, 0.9);
  for (int i = 0; i < 2; ++i) {
    const Vars leaves = parameters(model);
    CHECK(leaves.size() == 1);
    const Var loss = sum(model.a * model.b * Var(numbers({1, 3}, {2})));  // w² and 3 w²
    sgd.step(model, grad(loss, leaves));
    CHECK(model.a.node().get() == model.b.node().get());
  }
  // g = 2 w: 1 - 0.2, then momentum 0.9 · 2 + 2 · 0.8; the second with 6 w.
  check_close(model.a, {2}, {0.8 - 0.1 * (0.9 * 2 + 1.6), 0.8 - 0.1 * (0.9 * 12 + 4.8)}, 1e-15);
}

TEST_CASE("a graph from before a step keeps its numbers and its derivatives") {
  One model;
  const Var w = model.w, loss = w * w;
  SGD sgd(0.1);
  sgd.step(model, {Var(numbers({5}, {1}))});
  check_close(model.w.item(), 0.5, 1e-15);
  CHECK(w.item() == 1);
  CHECK(loss.item() == 1);
  check_close(grad(loss, {w})[0], {1}, {2}, 0);
}

TEST_CASE("gradients that do not fit change nothing") {
  Two model;
  const Two before = model;
  Adam adam(0.1), untouched(0.1);
  const Var a(numbers({1, 2}, {2})), b(numbers({3, 4, 5}, {3}));
  const auto refuse = [&](const Vars& gradients, const std::vector<std::string>& texts) {
    check_throws_with([&] { adam.step(model, gradients); }, texts);
    CHECK(model.a.node().get() == before.a.node().get());
    CHECK(model.b.node().get() == before.b.node().get());
    CHECK(adam.steps() == untouched.steps());
  };
  for (int step = 0; step < 2; ++step) {
    refuse({}, {"optimizer: ", "0", "2"});
    refuse({a}, {"optimizer: ", "1", "2"});
    refuse({a, b, b}, {"optimizer: ", "3", "2"});
    refuse({b, a}, {"optimizer: ", "[3]", "[2]"});
    refuse({a, Var(numbers({1}, {1}))}, {"optimizer: ", "[1]", "[3]"});  // would broadcast
    refuse({a, Var(numbers({1, 2, 3}, {1, 3}))}, {"optimizer: ", "[1, 3]", "[3]"});
    refuse({a, cast(b, DType::float32)}, {"optimizer: ", "float32", "float64"});
    Two other = before, same = before;
    adam.step(other, {a, b});
    untouched.step(same, {a, b});
    CHECK(same_bits(other.a, same.a));  // what was refused has left no trace in the optimizer
    CHECK(same_bits(other.b, same.b));
  }
}

TEST_CASE("an optimizer refuses another model than that of its steps before, and changes nothing") {
  Two model;
  One other;
  SGD sgd(0.1, 0.9);
  sgd.step(model, {Var(numbers({1, 2}, {2})), Var(numbers({3, 4, 5}, {3}))});
  check_throws_with([&] { sgd.step(other, {Var(numbers({1}, {1}))}); }, {"optimizer: ", "1 steps"});
  CHECK(other.w.item() == 1);
  CHECK(sgd.steps() == 1);
}

TEST_CASE("float32 parameters stay float32") {
  Two model = cast(Two(), DType::float32);
  Adam adam(0.1);
  adam.step(model, {Var(Tensor::ones({2})), Var(Tensor::ones({3}))});
  CHECK(model.a.dtype() == DType::float32);
  check_close(model.a, {2}, {0.9, 1.9}, 1e-6);
}

TEST_CASE("the norm of gradients is that of all together") {
  CHECK(norm_of({Var(numbers({3}, {1})), Var(numbers({0, 4}, {2}))}) == 5);
  CHECK(norm_of({}) == 0);
  CHECK(norm_of({Var(Tensor::full({4}, 1e30))}) > 1.9e30);  // float32, whose squares would overflow
  CHECK(std::isnan(norm_of({Var(numbers({1, not_a_number}, {2}))})));
  CHECK(std::isinf(norm_of({Var(numbers({1, -infinity}, {2}))})));
}

TEST_CASE("clipping scales all gradients by one factor, when their norm is too large") {
  Vars gradients = {Var(numbers({3}, {1})), Var(numbers({0, 4}, {2}))};
  CHECK(clip_by_norm(gradients, 1) == 5);
  check_close(gradients[0], {1}, {0.6}, 1e-15);
  check_close(gradients[1], {2}, {0, 0.8}, 1e-15);
  check_close(clip_by_norm(gradients, 0.25), 1, 1e-15);
  check_close(gradients[0], {1}, {0.15}, 1e-15);
  check_close(gradients[1], {2}, {0, 0.2}, 1e-15);
}

TEST_CASE("clipping leaves gradients as they are when their norm is small enough, or 0") {
  Vars small = {Var(numbers({3, 4}, {2}))}, zero = {Var(numbers({0, 0}, {2}))}, none;
  CHECK(clip_by_norm(small, 5) == 5);
  CHECK(clip_by_norm(small, infinity) == 5);
  check_close(small[0], {2}, {3, 4}, 0);
  CHECK(clip_by_norm(zero, 1) == 0);
  check_close(zero[0], {2}, {0, 0}, 0);
  CHECK(clip_by_norm(none, 1) == 0);
}

TEST_CASE("clipping refuses a norm that is not finite and a bound that is none, and changes nothing") {
  for (double bad : {infinity, -infinity, not_a_number}) {
    Vars gradients = {Var(numbers({3, 4}, {2})), Var(numbers({bad}, {1}))};
    check_throws_with([&] { clip_by_norm(gradients, 1); }, {"clip_by_norm: "});
    check_close(gradients[0], {2}, {3, 4}, 0);
  }
  Vars gradients = {Var(numbers({3, 4}, {2}))};
  for (double bad : {0.0, -1.0, not_a_number}) {
    check_throws_with([&] { clip_by_norm(gradients, bad); }, {"clip_by_norm: ", "positive"});
  }
}
