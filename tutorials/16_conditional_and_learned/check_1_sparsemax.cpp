// The check of exercise 1: shape, tiny numbers, properties, gradients, training.
#include <cmath>

#include "autograd/grad.hpp"
#include "nn/loss.hpp"
#include "nn/optimizer.hpp"
#include "tensor/random.hpp"
#include "tutorials/16_conditional_and_learned/exercise_1_sparsemax.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter16;
using namespace attend::lesson;

namespace {

Var row(const std::vector<double>& scores) {
  return Var::parameter(Tensor::from(scores, {static_cast<Size>(scores.size())}, DType::float64));
}

// Not in order, and three of five get a weight: −0.9, the first, does not.
Var scores() { return row({-0.9, 0.5, 0.2, 0.7, -0.4}); }

// ---- the usual mistakes -------------------------------------------------------------------------------------------

Var above(double tau, const Var& x) { return relu(x - tau); }

std::string bug_of(const Var& given, const Var& x) {
  if (given.shape() != x.shape()) return "";
  const double two_largest = (0.7 + 0.5 - 1) / 2, three_largest = (0.7 + 0.5 + 0.2 - 1) / 3;
  struct Suspect {
    Var result;
    std::string bug;
  };
  const std::vector<Suspect> suspects = {
      {softmax(x), "that is softmax: no weight is 0."},
      {relu(x) / sum(relu(x)),
       "the scores above 0 were divided by their sum. A constant on all scores would change that."},
      {above(two_largest, x), "it is one key short: the last k with 1 + k z_k > z₁ + ... + z_k belongs to the sum."},
      {above(1.4 / 3, x), "τ is without the − 1: the weights then add up to less than 1."},
      {above((0.1 - 1) / 5, x), "τ is made of all T scores, not of the k largest."},
      {x - three_largest, "weights below 0: take the maximum with 0."},
  };
  for (const Suspect& suspect : suspects) {
    if (close(given.value(), suspect.result.value())) return suspect.bug;
  }
  if (given.needs_grad() && close(given.value(), sparsemax(x).value())) {
    const Var weighed = sum(given * Var(Tensor::from({1, 2, 3, 4, 5}, {5}, DType::float64)));
    const double total = sum(grad(weighed, {x})[0]).item();
    if (std::abs(total) > 1e-9) {
      return "τ has a derivative, and here it is a constant: more on all scores must change no weight.";
    }
  }
  if (std::abs(sum(given).item() - 1) > 1e-9) {
    return "the weights do not add up to 1; perhaps the scores are not in order when they are added.";
  }
  return "";
}

std::string likely_bug(const SparsemaxAnswer& answer) {
  const Var x = scores();
  return likely_bug_of([&] { return answer.weights(x); }, [&](const Var& given) { return bug_of(given, x); });
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shape(const SparsemaxAnswer& answer, Steps& steps) {
  expect_shapes(
      steps, "x [5]", "[5]", [&] { return shape_of(answer.weights(scores())); }, [&] { return likely_bug(answer); });
}

void expect_weights(const SparsemaxAnswer& answer, const Var& x) {
  const Var wanted = sparsemax(x), given = answer.weights(x);
  if (close(given.value(), wanted.value())) return;
  throw Mistake(
      fill("scores {}\nexpected: {}\nyours:    {}", {listed(x.value()), listed(wanted.value()), listed(given.value())}),
      likely_bug(answer));
}

void check_numbers(const SparsemaxAnswer& answer, Steps& steps) {
  for (const std::vector<double>& tiny : {std::vector<double>{-0.9, 0.5, 0.2, 0.7, -0.4}, {0, 0, 0}, {3, 0}, {7}}) {
    expect_weights(answer, row(tiny));
  }
  steps.passed("numbers of four small rows");
}

void check_properties(const SparsemaxAnswer& answer, Steps& steps) {
  Rng rng(1);
  for (int draw = 0; draw < 20; ++draw) {
    const Var x = Var::parameter(rng.normal({12}, 0, 0.3 + draw / 10.0, DType::float64));
    expect_weights(answer, x);
    expect_weights(answer, Var::parameter((x + 5.0).value()));
    const Var point = softmax(x);
    if (close(answer.weights(point).value(), point.value())) continue;
    throw Mistake("Weights that add up to 1 and are above 0 are not left as they are.", likely_bug(answer));
  }
  steps.passed("properties: a constant more changes nothing; weights stay weights");
}

void check_gradients(const SparsemaxAnswer& answer, Steps& steps) {
  if (!answer.weights(scores()).needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches the scores.", likely_bug(answer));
  }
  expect_gradients(
      steps, "sparsemax", [&](const Vars& x) { return answer.weights(x[0]); }, {scores().value()},
      [&] { return likely_bug(answer); });
}

// Scores learn weights, of which three are 0.
void check_training(const SparsemaxAnswer& answer, Steps& steps) {
  struct Scores {
    Var x;
    void parameters(const Visit& visit) { visit("x", x); }
  };
  Scores model{row({0, 0, 0, 0, 0})};
  const Var wanted(Tensor::from({0, 0.75, 0, 0.25, 0}, {5}, DType::float64));
  Adam adam(0.05);
  double last = 0;
  for (int step = 0; step < 200; ++step) {
    const Var loss = mean_squared_error(answer.weights(model.x), wanted);
    last = loss.item();
    adam.step(model, grad(loss, parameters(model)));
  }
  if (!(last < 1e-4)) {
    throw Mistake(fill("After 200 steps the weights are {}.", {listed(answer.weights(model.x).value())}),
                  likely_bug(answer));
  }
  steps.passed("a short training: scores learn the weights 0, 0.75, 0, 0.25, 0");
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/16_conditional_and_learned/exercise_1_sparsemax.cpp", sparsemax_answers(),
                       {check_shape, check_numbers, check_properties, check_gradients, check_training});
}
