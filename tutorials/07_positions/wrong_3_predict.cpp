// Wrong answers to exercise 3, each with the mistake that the check must name.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"nothing is predicted", {unknown, unknown, unknown, unknown, unknown}, "not predicted yet"},
          {"all zero", {0, 5.657, 33, 0, -0.416}, "cosine of 0"},
          {"all one", {4, 5.657, 33, 0, -0.416}, "sine of 0"},
          {"as if all were 1", {2, 8, 33, 0, -0.416}, "32 pairs"},
          {"one pair", {2, 1, 33, 0, -0.416}, "that is one pair"},
          {"one side", {2, 5.657, 16, 0, -0.416}, "before the query and behind"},
          {"no zero", {2, 5.657, 32, 0, -0.416}, "distance 0"},
          {"the slopes", {2, 5.657, 33, 8, -0.416}, "it is fixed"},
          {"not turned", {2, 5.657, 33, 0, 1}, "angle between"},
          {"the sum", {2, 5.657, 33, 0, -0.1455}, "not their sum"}};
}
