// Exercise 3: predict. Put a number in the place of each `unknown`, and see what the library says.
//
//   1. x is [2, 6, 32]: two sentences of six words. How many weights are there?
//   2. A layer of the page with E = 32. How many numbers does it learn?
//   3. Each sentence has twelve words now. How many times as many weights?
//   4. A query that matches none of 8 keys at all. What is the weight of each?
//   5. A query twice the length of one of 8 orthonormal keys, c = 2. What is that key's weight? (to one percent)
#include <cmath>

#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"yours", {unknown, unknown, unknown, unknown, unknown}}};
}
