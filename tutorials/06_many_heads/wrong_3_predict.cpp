// Wrong answers to exercise 3, each with the mistake that the check must name.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"nothing is predicted", {unknown, unknown, unknown, unknown, unknown}, "not predicted yet"},
          {"the whole width", {64, 1600, 16640, 16640, 4352}, "share the width"},
          {"one head", {8, 200, 16640, 16640, 4352}, "of its own"},
          {"the numbers of x", {8, 1280, 16640, 16640, 4352}, "those are the numbers"},
          {"no bias", {8, 1600, 16384, 16640, 4352}, "have a bias"},
          {"three matrices", {8, 1600, 12480, 16640, 4352}, "fourth matrix"},
          {"a quarter", {8, 1600, 16640, 4160, 4352}, "do not know"},
          {"four times", {8, 1600, 16640, 66560, 4352}, "no more numbers"},
          {"the first article", {8, 1600, 16640, 16640, 16640}, "d² numbers"},
          {"one for each head", {8, 1600, 16640, 16640, 5696}, "is there once"}};
}
