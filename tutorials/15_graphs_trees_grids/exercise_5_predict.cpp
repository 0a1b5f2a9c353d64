// Exercise 5: predict. Put a number in the place of each `unknown`, and see what the library says.
//
//   1. Four nodes, and edges 0 → 2, 1 → 2 and 2 → 2. How many edges are there after `add_self_loops`?
//   2. Four words, all three links 0.5. What is the prior between the first and the last?
//   3. An image of 8 × 8, axial attention: rows, then columns. How many pixels does one see after two layers?
//   4. The same with windows of 4 × 4 in both layers?
#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"yours", {unknown, unknown, unknown, unknown}}};
}
