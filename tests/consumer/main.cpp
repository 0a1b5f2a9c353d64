// A program outside attend's tree: a layer, its output, and a derivative of it.
#include <attend/nn/linear.hpp>
#include <cstdio>

#include "tensor/random.hpp"

int main() {
  attend::Rng rng(1);
  attend::Linear layer(3, 2, rng);
  attend::Var x(attend::Tensor::ones({4, 3}));
  std::printf("%td rows\n", layer(x).value().shape()[0]);
}
