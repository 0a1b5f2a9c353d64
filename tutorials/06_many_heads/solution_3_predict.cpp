// Solution of exercise 3.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"the solution", {8, 1600, 16640, 16640, 4352}}};
}
