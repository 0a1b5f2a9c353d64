// Wrong answers to exercise 3, each with the mistake that the check must name.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"nothing is predicted", {unknown, unknown, unknown, unknown, unknown}, "not predicted yet"},
          {"all", {7, 10, 432, 64.5, 0.36}, "never read"},
          {"without begin", {5, 10, 432, 64.5, 0.36}, "begin is read"},
          {"all pairs", {6, 16, 432, 64.5, 0.36}, "behind it"},
          {"not itself", {6, 6, 432, 64.5, 0.36}, "sees itself"},
          {"six by six", {6, 10, 288, 64.5, 0.36}, "self-attention of the written"},
          {"nine by nine", {6, 10, 648, 64.5, 0.36}, "self-attention of the read"},
          {"one head", {6, 10, 108, 64.5, 0.36}, "of its own"},
          {"all, each time", {6, 10, 432, 128, 0.36}, "step t reads t"},
          {"half of all", {6, 10, 432, 64, 0.36}, "128 · 129 / 2"},
          {"greedy", {6, 10, 432, 64.5, 0.3}, "greedy"},
          {"added", {6, 10, 432, 64.5, 0.66}, "other texts"}};
}
