// Wrong answers to exercise 5, each with the mistake that the check must name.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"nothing is predicted", {unknown, unknown, unknown, unknown, unknown}, "not predicted yet"},
          {"softmax", {0.6457, 4, 8, 0.1875, 0.25}, "that of softmax"},
          {"all or nothing", {1, 4, 8, 0.1875, 0.25}, "a gap of 1"},
          {"all", {0.8, 8, 8, 0.1875, 0.25}, "a gap of 1/4"},
          {"as sparsemax", {0.8, 4, 4, 0.1875, 0.25}, "a gap of 2/√4"},
          {"only p", {0.8, 4, 8, 0.75, 0.25}, "the expected reward itself"},
          {"only the surprise", {0.8, 4, 8, 0.25, 0.25}, "times the probability"},
          {"the mean", {0.8, 4, 8, 0.1875, 0.75}, "the mean reward"},
          {"none", {0.8, 4, 8, 0.1875, 0}, "no baseline"}};
}
