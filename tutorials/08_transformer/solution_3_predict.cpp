// Solution of exercise 3.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"the solution", {6, 10, 432, 64.5, 0.36}}};
}
