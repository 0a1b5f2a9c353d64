// Exercise 3: predict. Put a number in the place of each `unknown`, and see what the library says.
//
//   1. Images of 28 × 28 pixels, patches of 4 × 4. How many patches are there?
//   2. Three channels. How many numbers has a patch?
//   3. With the class token: how many weights has one head of one layer?
//   4. Layer 1: token 0 looks at both with 1/2, token 1 at token 0 alone. Layer 2: both look at token 1 alone.
//      Half of each layer goes around the attention. What does token 0 have of token 0 in the end?
//   5. A convolution of 3 × 3 from 16 to 16 channels, without bias. How many numbers does it learn?
#include <cmath>

#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"yours", {unknown, unknown, unknown, unknown, unknown}}};
}
