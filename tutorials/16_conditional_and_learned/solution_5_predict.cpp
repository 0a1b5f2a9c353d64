// Solution of exercise 5.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"the solution", {0.8, 4, 8, 0.1875, 0.25}}};
}
