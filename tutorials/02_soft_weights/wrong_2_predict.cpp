// Wrong answers to exercise 2, each with the mistake that the check must name.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"nothing is predicted", {unknown, unknown, unknown, unknown, unknown}, "not predicted yet"},
          {"without exp", {2.0 / 3, 0.867, 0.665, 0.1, 15}, "takes exp"},
          {"the hard choice", {1, 0.867, 0.665, 0.1, 15}, "hard choice"},
          {"multiplied by it", {0.665, 0.5065, 0.665, 0.1, 15}, "divided by it"},
          {"the temperature forgotten", {0.665, 0.6652, 0.665, 0.1, 15}, "temperature 1:"},
          {"the larger, the harder", {0.665, 0.867, 1, 0.1, 15}, "differences between"},
          {"one each", {0.665, 0.867, 0.665, 1, 15}, "share out"},
          {"added", {0.665, 0.867, 0.665, 0.1, 30}, "sum to 1"}};
}
