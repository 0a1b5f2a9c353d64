// Wrong answers to exercise 3, each with the mistake that the check must name.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"nothing is predicted", {unknown, unknown, unknown, unknown, unknown}, "not predicted yet"},
          {"nine for each", {288, 8, 2, 2, 4}, "both ends"},
          {"all", {1024, 8, 2, 2, 4}, "softmax attention"},
          {"one side", {160, 8, 2, 2, 4}, "both sides"},
          {"one each", {268, 31, 2, 2, 4}, "4 further"},
          {"rounded down", {268, 7, 2, 2, 4}, "not enough"},
          {"one", {268, 8, 1, 2, 4}, "no multiple"},
          {"six", {268, 8, 6, 2, 4}, "in another"},
          {"squared", {268, 8, 2, 4, 4}, "as wide"},
          {"linear", {268, 8, 2, 2, 2}, "each with twice"}};
}
