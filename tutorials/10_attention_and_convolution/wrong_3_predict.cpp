// Wrong answers to exercise 3, each with the mistake that the check must name.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"nothing is predicted", {unknown, unknown, unknown, unknown, unknown}, "not predicted yet"},
          {"one row", {7, 48, 2500, 0.625, 2304}, "one row"},
          {"by 4", {196, 48, 2500, 0.625, 2304}, "4 × 4 pixels"},
          {"one channel", {49, 16, 2500, 0.625, 2304}, "three channels"},
          {"one row", {49, 12, 2500, 0.625, 2304}, "4 rows"},
          {"without the class token", {49, 48, 2401, 0.625, 2304}, "class token looks"},
          {"one row", {49, 48, 50, 0.625, 2304}, "one row"},
          {"nothing mixed", {49, 48, 2500, 1, 2304}, "layers mix"},
          {"one way", {49, 48, 2500, 0.5, 2304}, "as well"},
          {"one pixel", {49, 48, 2500, 0.625, 256}, "1 × 1"},
          {"one result", {49, 48, 2500, 0.625, 144}, "of its own"}};
}
