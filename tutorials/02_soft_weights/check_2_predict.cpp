// The check of exercise 2: what the library says.
#include <cmath>

#include "autograd/ops.hpp"
#include "tutorials/02_soft_weights/choice.hpp"
#include "tutorials/02_soft_weights/regression.hpp"
#include "tutorials/lesson/predict.hpp"

using namespace attend;
using namespace attend::chapter02;
using namespace attend::lesson;

namespace {

std::vector<Riddle> riddles() {
  const auto largest = [](const std::vector<double>& scores, double temperature) {
    const Shape shape = {static_cast<Size>(scores.size())};
    return max(soft_choice(Tensor::from(scores, shape, DType::float64), temperature), {0}).item();
  };
  const auto column = [](const std::vector<double>& x) {
    return Tensor::from(x, {static_cast<Size>(x.size()), 1}, DType::float64);
  };
  const double estimate = kernel_regression(column({0.5}), column({0, 1}), column({10, 20}), 1).item();

  return {{"Scores 2, 1, 0: the largest weight?",
           largest({2, 1, 0}, 1),
           {{2.0 / 3, "softmax takes exp of the scores before it shares out."}, {1, "that is the hard choice."}},
           1e-3},
          {"The same at the temperature 1/2?",
           largest({2, 1, 0}, 0.5),
           {{0.5065, "that is the temperature 2: scores are divided by it."},
            {0.6652, "that is the temperature 1: a smaller one makes the choice harder."}},
           1e-2},
          {"Scores 102, 101, 100: the largest weight?",
           largest({102, 101, 100}, 1),
           {{1, "differences between scores count, and these have not changed."}},
           1e-3},
          {"Ten equal scores: the weight of each?",
           largest(std::vector<double>(10, 3.0), 1),
           {{1, "all ten share out one whole."}}},
          {"Values 10 at 0 and 20 at 1: the estimate at 1/2?",
           estimate,
           {{30, "a weighted sum, and the weights sum to 1."}}}};
}

}  // namespace

int main(int argc, char** argv) {
  return check_predictions(argc, argv, "tutorials/02_soft_weights/exercise_2_predict.cpp", predictions(), riddles());
}
