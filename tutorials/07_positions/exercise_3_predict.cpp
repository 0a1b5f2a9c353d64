// Exercise 3: predict. Put a number in the place of each `unknown`, and see what the library says.
//
//   1. Sinusoids of width 4. What is the sum of the four numbers of position 0?
//   2. How long is a position of width 64, as a vector? (to one percent)
//   3. Relative positions (Shaw), cut off at ±16. How many rows has the table of a layer for keys?
//   4. How many numbers does ALiBi learn, with 8 heads?
//   5. A query (1, 0) at position 5 and a key (1, 0) at position 3, one rotary pair with ω = 1. What is their
//      product? (to one percent)
#include <cmath>

#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"yours", {unknown, unknown, unknown, unknown, unknown}}};
}
