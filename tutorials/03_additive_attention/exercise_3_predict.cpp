// Exercise 3: predict. Put a number in the place of each `unknown`, and see what the library says.
//
//   1. Queries [4, 9, 48], keys [4, 12, 96], a hidden width of 64. How many scores are there?
//   2. How many numbers are in the sum of all pairs, before v makes a score of each?
//   3. How many numbers does the layer learn: W_q, W_k and v?
//   4. The last 4 of 12 keys are padding, and all scores are equal. What is the weight of a key that is there?
//   5. And the weight of padding?
#include <cmath>

#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"yours", {unknown, unknown, unknown, unknown, unknown}}};
}
