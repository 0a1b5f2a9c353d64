// Wrong answers to exercise 3, each with the mistake that the check must name.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"nothing is predicted", {unknown, unknown, unknown, unknown, unknown}, "not predicted yet"},
          {"one matrix", {256, 512, 32, 9.9, 0.065}, "two matrices"},
          {"no bottleneck", {4096, 512, 32, 9.9, 0.065}, "bottleneck is"},
          {"multiplied by r", {131072, 512, 32, 9.9, 0.065}, "r divides"},
          {"one image", {512, 64, 32, 9.9, 0.065}, "of its own"},
          {"each position", {512, 100352, 32, 9.9, 0.065}, "not to a position"},
          {"softmax", {512, 512, 1, 9.9, 0.065}, "no share"},
          {"zero", {512, 512, 0, 9.9, 0.065}, "sigmoid of 0"},
          {"one percent", {512, 512, 32, 1, 0.065}, "as wide as"},
          {"as many more", {512, 512, 32, 9.9, 9.9}, "used once"}};
}
