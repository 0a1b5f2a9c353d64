// Solution of exercise 3.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"the solution", {72, 4128, 4, 0.125, 0.51}}};
}
