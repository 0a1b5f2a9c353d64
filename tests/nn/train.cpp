#include "nn/train.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "nn/dropout.hpp"
#include "nn/linear.hpp"
#include "nn/loss.hpp"
#include "tests/nn/layers.hpp"
#include "tests/support/special.hpp"

using namespace attend;
using namespace attend::test;

namespace {

struct Model {
  Linear first, last;
  void parameters(const Visit& visit) {
    visit("first", first);
    visit("last", last);
  }
};

Model model_of() {
  Rng rng(1);
  return {Linear(3, 4, rng), Linear(4, 1, rng)};
}

const Tensor x = random({5, 3}, DType::float32, 1), y = random({5, 1}, DType::float32, 2);

Var output(const Model& model, Rng& rng) { return model.last(dropout(tanh(model.first(Var(x))), 0.2, &rng)); }
Var right_loss(const Model& model, Rng& rng) { return mean_squared_error(output(model, rng), Var(y)); }

// One step that must stop with NotFinite, and must leave model, optimizer and random numbers as they were: they go on
// as a model that has not tried that step.
template <class LossOf>
NotFinite stopped(Model model, const LossOf& loss_of, const TrainOptions& options = {12}, double rate = 0.1) {
  Adam adam(0.1);
  Rng rng(7);
  if (detail::first_not_finite(named_parameters(model)) == nullptr) train_step(model, adam, right_loss, rng);
  adam.learning_rate = rate;
  const std::vector<NamedVar> before = named_parameters(model);
  const Rng rng_before = rng;
  const Adam adam_before = adam;
  try {
    train_step(model, adam, loss_of, rng, options);
  } catch (const NotFinite& error) {
    CHECK(error.step == options.step);
    CHECK(rng == rng_before);
    CHECK(adam.steps() == adam_before.steps());
    for (std::size_t i = 0; i < before.size(); ++i) {
      CHECK(named_parameters(model)[i].second.node().get() == before[i].second.node().get());
    }
    Model other = model;
    Adam other_adam = adam_before;
    Vars gradients;
    for (const Var& parameter : parameters(model)) gradients.push_back(Var(Tensor::ones(parameter.shape())));
    adam.step(model, gradients);
    other_adam.step(other, gradients);
    for (std::size_t i = 0; i < gradients.size(); ++i) CHECK(same_bits(parameters(model)[i], parameters(other)[i]));
    return error;
  }
  FAIL("the step did not stop");
  return NotFinite("");
}

bool holds(const NotFinite& error, const std::string& text) {
  return std::string(error.what()).find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a step returns loss and norm, and does what its parts do") {
  Model model = model_of(), by_parts = model;
  Adam adam(0.1), other(0.1);
  Rng rng(3), same(3);
  for (Size t = 1; t <= 3; ++t) {
    const auto [loss, norm] = train_step(model, adam, right_loss, rng, {t, 0.5});
    const Var expected = right_loss(by_parts, same);
    Vars gradients = grad(expected, parameters(by_parts));
    CHECK(loss == expected.item());
    CHECK(norm == clip_by_norm(gradients, 0.5));
    other.step(by_parts, gradients);
    for (std::size_t i = 0; i < 4; ++i) CHECK(same_bits(parameters(model)[i], parameters(by_parts)[i]));
    CHECK(rng == same);
  }
  CHECK(adam.steps() == 3);
}

TEST_CASE("without a largest norm nothing is clipped") {
  Model model = model_of();
  SGD sgd(1);
  Rng rng(3);
  const Tensor before = model.last.bias.value();
  const double norm = train_step(
                          model, sgd, [](const Model& m, Rng&) { return 1e6 * sum(m.last.bias); }, rng)
                          .gradient_norm;
  CHECK(norm == 1e6);
  check_close(model.last.bias, {1}, {before.item() - 1e6}, 0);
}

TEST_CASE("steps lower the loss") {
  Model model = model_of();
  Adam adam(0.02);
  Rng rng(3);
  const auto plain = [](const Model& m, Rng&) { return mean_squared_error(m.last(tanh(m.first(Var(x)))), Var(y)); };
  const double first = train_step(model, adam, plain, rng).loss;
  double last = first;
  for (int i = 0; i < 200; ++i) last = train_step(model, adam, plain, rng).loss;
  CHECK(last < 0.2 * first);
}

TEST_CASE("a loss that becomes NaN stops with step, op, shapes, pass and parameter") {
  const NotFinite error = stopped(model_of(), [](const Model& m, Rng& rng) { return sum(sqrt(-abs(output(m, rng)))); });
  CHECK(error.op == "sqrt");
  CHECK(error.pass == Pass::forward);
  CHECK(error.inputs == std::vector<Shape>{{5, 1}});
  CHECK(error.output == Shape{5, 1});
  CHECK(error.inputs_finite);
  CHECK(error.parameter == "first.weight");
  CHECK(std::string(error.what()) ==
        "step 12: the loss is NaN; first, in the forward pass, sqrt [5, 1] -> [5, 1] gave NaN from finite inputs; the "
        "first "
        "parameter it reaches is \"first.weight\", whose gradient is not finite");
}

TEST_CASE("an infinite loss stops too, and the message says when no gradient is affected") {
  const Var huge(Tensor::full({2}, 1e30));
  const NotFinite error =
      stopped(model_of(), [&](const Model& m, Rng&) { return sum(huge * huge) + sum(m.last.bias); });
  CHECK(error.op == "mul");
  CHECK(error.parameter == "");
  CHECK(holds(error, "step 12: the loss is infinite; first, in the forward pass, mul [2], [2] -> [2] gave inf"));
  CHECK(holds(error, "the gradient of every parameter is finite still"));
}

TEST_CASE("a gradient that becomes infinite stops with the op whose derivative it is") {
  const NotFinite error = stopped(
      model_of(), [](const Model& m, Rng& rng) { return right_loss(m, rng) + sum(sqrt(m.last.weight * 0.0)) * 2.0; });
  CHECK(error.op == "sqrt");
  CHECK(error.pass == Pass::backward);
  CHECK(error.output == Shape{4, 1});
  CHECK(error.parameter == "last.weight");  // first.weight comes before, and is not affected
  CHECK(holds(error, "step 12: the norm of the gradients is NaN; first, in the backward pass, inf is the derivative"));
}

TEST_CASE("the step is run again with the random numbers that it was first run with") {
  // NaN where the stream's next number is what it is, and nowhere else.
  Rng probe(7);
  Model model = model_of();
  Adam adam(0.1);
  train_step(model, adam, right_loss, probe);
  const double bad = probe.uniform();
  const NotFinite error = stopped(model_of(), [bad](const Model& m, Rng& rng) {
    return sum(m.first.bias) + log(Var(Tensor::full({}, rng.uniform() == bad ? -1 : 1)));
  });
  CHECK(error.op == "log");
}

TEST_CASE("a parameter that was NaN before the step is named") {
  Model model = model_of();
  model.last.bias = Var::parameter(Tensor::full({1}, not_a_number));
  const NotFinite error = stopped(model, right_loss);
  CHECK(error.parameter == "last.bias");
  CHECK(error.op == "linear");
  CHECK_FALSE(error.inputs_finite);
  CHECK(holds(error, "linear [5, 4], [4, 1], [1] -> [5, 1] gave NaN; an input held NaN already"));
  CHECK(holds(error, "parameter \"last.bias\" was not finite before the step"));
}

TEST_CASE("an update that makes a parameter infinite stops, and nothing of it remains") {
  const NotFinite error = stopped(model_of(), right_loss, {9}, 3e38);
  CHECK(error.pass == Pass::update);
  CHECK(error.op == "");
  CHECK(error.output.size() > 0);
  CHECK(holds(error, "step 9: the update made parameter \""));
  CHECK(holds(error, "not finite; learning rate 3e+38, norm of the gradients"));
}

TEST_CASE("a loss that cannot be repeated is said to be one") {
  int calls = 0;
  const NotFinite error = stopped(model_of(), [&calls](const Model& m, Rng&) {
    return sum(m.first.bias) + Var(Tensor::full({}, calls++ == 0 ? infinity : 0));
  });
  CHECK(holds(error, "run again, every op was finite"));
}

TEST_CASE("the step without a number is not numbered in the message") {
  CHECK(holds(stopped(model_of(), right_loss, {}, 3e38), "the update made parameter"));
  CHECK_FALSE(holds(stopped(model_of(), right_loss, {}, 3e38), "step 0"));
}

TEST_CASE("tied parameters are trained, and restored, as one") {
  struct Tied {
    Var a = Var::parameter(numbers({1}, {1})), b = a;
    void parameters(const Visit& visit) {
      visit("a", a);
      visit("b", b);
    }
  } model;
  SGD sgd(0.1);
  Rng rng(1);
  train_step(
      model, sgd, [](const Tied& m, Rng&) { return sum(m.a * m.b); }, rng);
  check_close(model.b, {1}, {0.8}, 1e-15);
  sgd.learning_rate = infinity;
  CHECK_THROWS_AS(train_step(
                      model, sgd, [](const Tied& m, Rng&) { return sum(m.a * m.b); }, rng),
                  NotFinite);
  check_close(model.b, {1}, {0.8}, 1e-15);
  CHECK(model.a.node().get() == model.b.node().get());
}

TEST_CASE("a loss of more than one element is refused, and an exception of the loss passes through") {
  Model model = model_of();
  Adam adam(0.1);
  Rng rng(3);
  check_throws_with(
      [&] {
        train_step(
            model, adam, [](const Model& m, Rng&) { return m.first.bias; }, rng);
      },
      {"", "[4]"});
  CHECK_THROWS_AS(train_step(
                      model, adam, [](const Model&, Rng&) -> Var { throw std::bad_alloc(); }, rng),
                  std::bad_alloc);
  check_throws_with(
      [&] {
        train_step(model, adam,
                   [](const Model& m, Rng& draws) {
                     draws.uniform();
                     return sum(m.first.bias);
                   },
                   rng, {1, -1.0});
      },
      {"clip_by_norm", "-1"});
  CHECK(rng == Rng(3));
  CHECK(adam.steps() == 0);
}
