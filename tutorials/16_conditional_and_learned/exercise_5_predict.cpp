// Exercise 5: predict. Put a number in the place of each `unknown`, and see what the library says.
//
//   1. Two keys with the scores 1 and 0.4. Which weight does sparsemax give to the first?
//   2. Four keys with the score 0.3 and four with 0. How many get a weight from sparsemax?
//   3. And how many from entmax 1.5?
//   4. Two choices with the probabilities 0.75 and 0.25; the first brings 1, the second 0. What is the derivative of
//      the expected reward with respect to the first score?
//   5. Which baseline leaves the estimate of it the least variance?
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"yours", {unknown, unknown, unknown, unknown, unknown}}};
}
