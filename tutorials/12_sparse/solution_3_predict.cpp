// Solution of exercise 3.
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() { return {{"the solution", {268, 8, 2, 2, 4}}}; }
