// The check of exercise 5: what the library says.
#include <cmath>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "nn/attention/hard.hpp"
#include "tutorials/16_conditional_and_learned/support.hpp"
#include "tutorials/lesson/predict.hpp"

using namespace attend;
using namespace attend::chapter16;
using namespace attend::lesson;

namespace {

Tensor row(const std::vector<double>& numbers) {
  return Tensor::from(numbers, {static_cast<Size>(numbers.size())}, DType::float64);
}

double with_weight(const Var& weights) { return static_cast<double>(support(weights.value().to_vector())); }

std::vector<Riddle> riddles() {
  const Var gap(row(row_with_gap(8, 4, 0.3))), scores = Var::parameter(row({std::log(3.0), 0}));
  const Tensor rewards = row({1, 0});
  const Var slope = grad(expected_reward(scores, rewards), {scores})[0];

  return {{"The scores 1 and 0.4: the first weight of sparsemax?",
           sparsemax(Var(row({1, 0.4}))).value().at({0}),
           {{0.6457, "that of softmax."}, {1, "the second is left out from a gap of 1 on."}},
           1e-4},
          {"Four scores of 0.3, four of 0: how many get a weight from sparsemax?",
           with_weight(sparsemax(gap)),
           {{8, "with four at the top, a gap of 1/4 is enough to leave out the others."}}},
          {"And from entmax 1.5?",
           with_weight(entmax(gap, 1.5)),
           {{4, "with four at the top, entmax 1.5 needs a gap of 2/√4."}}},
          {"p = 0.75 and 0.25, rewards 1 and 0: the derivative to the first score?",
           slope.value().at({0}),
           {{0.75, "that is the expected reward itself."}, {0.25, "R − E[R], and that times the probability."}},
           1e-6},
          {"The baseline with the least variance?",
           baseline(Baseline::optimal, scores.value(), rewards),
           {{0.75, "that is the mean reward; the rare choice has the long gradient, and counts more."},
            {0, "that is no baseline."}},
           1e-6}};
}

}  // namespace

int main(int argc, char** argv) {
  return check_predictions(argc, argv, "tutorials/16_conditional_and_learned/exercise_5_predict.cpp", predictions(),
                           riddles());
}
