// Exercise 2: predict. Put a number in the place of each `unknown`, and see what the library says.
//
//   1. Scores 2, 1 and 0. What is the largest weight? (to one percent)
//   2. The same scores at the temperature 1/2. What is the largest weight now? (to one percent)
//   3. All three scores grow by 100, at the temperature 1. What is the largest weight?
//   4. Ten equal scores. What is the weight of each?
//   5. At the places 0 and 1 the values 10 and 20 were seen. What does kernel regression say at 1/2, whatever its
//      width?
#include <cmath>

#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"yours", {unknown, unknown, unknown, unknown, unknown}}};
}
