// A program outside attend's tree: a layer, its output, and a derivative of it.
#include <attend/nn/linear.hpp>
#include <cstdio>

#include "tensor/random.hpp"

int main() {
  attend::Rng rng(1);
  attend::Linear layer(3, 2, rng);
  const attend::Var y = layer(attend::Tensor::ones({4, 3}));                  // [4, 2]
  const attend::Var slope = attend::grad(attend::sum(y), {layer.weight})[0];  // [3, 2]
  // Every row of x is a row of ones, so each weight counts once in each of the 4 rows.
  const bool right = y.shape() == attend::Shape{4, 2} && slope.value().to_vector() == std::vector<double>(6, 4.0);
  std::printf("%s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}
