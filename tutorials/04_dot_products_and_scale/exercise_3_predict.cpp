// Exercise 3: predict. Put a number in the place of each `unknown`, and see what the library says.
//
//   1. q and k have 64 numbers each, of mean 0 and variance 1. What is the variance of q · k? (to five percent)
//   2. By what does scaled attention multiply the products, at d = 64?
//   3. 64 keys weigh all the same. What is the entropy of these weights, in nats? (to one percent)
//   4. Two keys weigh 1/2 each. What is the trace of the Jacobian of softmax?
//   5. And of two keys with the scores 0 and 1000?
#include <cmath>

#include "tutorials/lesson/predict.hpp"

std::vector<attend::lesson::Predicted> attend::lesson::predictions() {
  return {{"yours", {unknown, unknown, unknown, unknown, unknown}}};
}
