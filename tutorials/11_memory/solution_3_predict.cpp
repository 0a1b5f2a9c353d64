// Solution of exercise 3.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"the solution", {10, 7, 32, 0.1353, 1}}};
}
