#include "nn/linear.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/nn/layers.hpp"

using namespace attend;
using namespace attend::test;

namespace {

Linear by_hand() {
  Rng rng(1);
  Linear layer(2, 3, rng);
  layer.weight = Var::parameter(numbers({1, 2, 3, 4, 5, 6}, {2, 3}));
  layer.bias = Var::parameter(numbers({10, 20, 30}, {3}));
  return layer;
}

}  // namespace

TEST_CASE("linear is x W + b over the last axis, whatever stands before it") {
  const Linear layer = by_hand();
  check_close(layer(Var(numbers({1, -1}, {2}))), {3}, {7, 17, 27}, 0);
  check_close(layer(Var(numbers({1, -1, 0, 2}, {2, 2}))), {2, 3}, {7, 17, 27, 18, 30, 42}, 0);
  check_close(layer(Var(numbers({1, -1, 0, 2}, {2, 1, 2}))), {2, 1, 3}, {7, 17, 27, 18, 30, 42}, 0);
  check_close(layer(Var(numbers({}, {0, 2}))), {0, 3}, {}, 0);
}

TEST_CASE("linear without a bias has none, and does not visit it") {
  Rng rng(1);
  const Linear layer(2, 3, rng, false);
  CHECK_FALSE(layer.bias.defined());
  CHECK(parameter_count(layer) == 6);
  CHECK(parameter_count(Linear(2, 3, rng)) == 9);
  check_close(layer(Var(Tensor::zeros({2}))), {3}, {0, 0, 0}, 0);
}

TEST_CASE("linear begins with Xavier-uniform weights and zeros as bias") {
  Rng rng(3);
  const Linear layer(30, 20, rng);
  const double bound = std::sqrt(6.0 / 50);
  double largest = 0;
  for (double w : layer.weight.value().to_vector()) largest = std::max(largest, std::fabs(w));
  CHECK(largest <= bound);
  CHECK(largest > 0.95 * bound);
  check_close(layer.bias, {20}, std::vector<double>(20, 0), 0);
}

TEST_CASE("linear refuses an x that does not fit, and names both shapes") {
  const Linear layer = by_hand();
  check_throws_with([&] { layer(Var(numbers({1, 2, 3}, {1, 3}))); }, {"linear: ", "[1, 3]", "[2, 3]"});
  check_throws_with([&] { layer(Var(numbers({1}, {}))); }, {"linear: ", "[]", "[2, 3]"});
  check_throws_with([&] { layer(Var(Tensor::zeros({1, 2}, DType::float32))); }, {"linear: ", "float32", "float64"});
  Rng rng(1);
  check_throws_with([&] { Linear(0, 3, rng); }, {"linear: ", "0", "3"});
  check_throws_with([&] { Linear(2, -3, rng); }, {"linear: ", "2", "-3"});
}
