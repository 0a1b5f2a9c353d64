// Wrong answers to exercise 3, each with the mistake that the check must name.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"nothing is predicted", {unknown, unknown, unknown, unknown, unknown}, "not predicted yet"},
          {"one term", {1, 0.125, 4.159, 0.5, 0}, "one of its"},
          {"the root", {8, 0.125, 4.159, 0.5, 0}, "typical size"},
          {"equal terms", {4096, 0.125, 4.159, 0.5, 0}, "add their variances"},
          {"by d", {64, 1.0 / 64, 4.159, 0.5, 0}, "the root"},
          {"multiplied", {64, 8, 4.159, 0.5, 0}, "smaller"},
          {"in bits", {64, 0.125, 6, 0.5, 0}, "in bits"},
          {"the number itself", {64, 0.125, 64, 0.5, 0}, "the logarithm of"},
          {"the sum of the weights", {64, 0.125, 4.159, 1, 0}, "a quarter"},
          {"one of them", {64, 0.125, 4.159, 0.25, 0}, "two on"},
          {"as before", {64, 0.125, 4.159, 0.5, 0.5}, "no longer moves"}};
}
