// Wrong answers to exercise 3, each with the mistake that the check must name.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"nothing is predicted", {unknown, unknown, unknown, unknown, unknown}, "not predicted yet"},
          {"the numbers of x", {384, 4128, 4, 0.125, 0.51}, "those of x"},
          {"one sentence", {36, 4128, 4, 0.125, 0.51}, "one sentence"},
          {"no bias", {72, 4096, 4, 0.125, 0.51}, "has a bias"},
          {"four biases", {72, 4224, 4, 0.125, 0.51}, "only one of the four"},
          {"no output", {72, 3072, 4, 0.125, 0.51}, "fourth matrix"},
          {"twice as many", {72, 4128, 2, 0.125, 0.51}, "both axes"},
          {"nothing is found", {72, 4128, 4, 0, 0.51}, "one whole"},
          {"without exp", {72, 4128, 4, 0.125, 2.0 / 9}, "exp of them"},
          {"one other key", {72, 4128, 4, 0.125, 0.8808}, "seven others"}};
}
