// Exercise 3: predict. Put a number in the place of each `unknown`, and see what the library says.
//
//   1. 100 equal layers. With how many segments is least remembered?
//   2. 16 layers in 4 segments. How many tensors are remembered?
//   3. Attention over 1,024 words, 8 heads, one text, float32. How many MiB have its weights?
//   4. The largest score so far is 3, then comes a 5. By what are the old sums multiplied? (to one percent)
//   5. The weight is 1 in float16, and 0.0004 is added. What is it then?
#include <cmath>

#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"yours", {unknown, unknown, unknown, unknown, unknown}}};
}
