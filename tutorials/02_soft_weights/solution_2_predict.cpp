// Solution of exercise 2.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"the solution", {0.665, 0.867, 0.665, 0.1, 15}}};
}
