// Solution of exercise 5.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() { return {{"the solution", {6, 0.125, 64, 16}}}; }
