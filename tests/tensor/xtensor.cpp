// What we rely on in the installed xtensor, and its traps that our kernels step around.
#include "tensor/xtensor.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

TEST_CASE("an immediate reducer works as C++17 (O-60)") {
  const xt::xarray<float> a = xt::ones<float>({3, 4});
  const xt::xarray<float> rows = xt::sum(a, 1, xt::evaluation_strategy::immediate);
  REQUIRE(rows.size() == 3);
  for (float row : rows) CHECK(row == 4);
}

TEST_CASE("our softmax of a matrix of ones needs no lazy reducer as operand (O-52)") {
  const Tensor ones = Tensor::ones({2, 2}, DType::float64);
  check_close(kernel::sub(ones, kernel::max(ones, {1}, true)), {2, 2}, {0, 0, 0, 0}, 0);
  check_close(kernel::div(ones, kernel::sum(ones, {1}, true)), {2, 2}, {0.5, 0.5, 0.5, 0.5}, 0);
}

TEST_CASE("a container of xtensor changes its shape when added to, our kernels make a new tensor (O-10)") {
  xt::xarray<double> g = xt::zeros<double>({3, 1});
  g += xt::ones<double>({3, 4});
  CHECK(g.shape()[1] == 4);
  const Tensor ours = Tensor::zeros({3, 1}, DType::float64);
  CHECK(kernel::add(ours, Tensor::ones({3, 4}, DType::float64)).shape() == Shape{3, 4});
  CHECK(ours.shape() == Shape{3, 1});
}
