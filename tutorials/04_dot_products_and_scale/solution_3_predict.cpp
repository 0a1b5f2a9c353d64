// Solution of exercise 3.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"the solution", {64, 0.125, 4.159, 0.5, 0}}};
}
