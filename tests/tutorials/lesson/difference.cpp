#include "tutorials/lesson/difference.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace attend;
using namespace attend::lesson;

TEST_CASE("tensors of one shape are as far apart as their worst element, others infinitely far") {
  const Tensor a = Tensor::from({1, 2, 3}, {3}, DType::float64);
  const Tensor b = Tensor::from({1.25, 2, 1}, {3}, DType::float64);
  CHECK(largest_difference(a, b) == 2);
  CHECK(largest_difference(a, a) == 0);
  CHECK(std::isinf(largest_difference(a, Tensor::ones({1, 3}, DType::float64))));
}

TEST_CASE("close is nearly equal, in the same shape, and never NaN") {
  const Tensor one = Tensor::full({2}, 1, DType::float64);
  CHECK(close(one, Tensor::full({2}, 1 + 1e-12, DType::float64)));
  CHECK_FALSE(close(one, Tensor::full({2}, 1 + 1e-8, DType::float64)));
  CHECK_FALSE(close(one, Tensor::full({1, 2}, 1, DType::float64)));
  CHECK_FALSE(close(one, Tensor::from({1, NAN}, {2}, DType::float64)));
}

TEST_CASE("the share of equal places: of answers that are the label") {
  CHECK(share_equal(Tensor::from_ints({3, 1, 2, 2}, {4}), Tensor::from_ints({3, 2, 1, 2}, {4})) == 0.5);
  CHECK(share_equal(Tensor::ones({2, 3}), Tensor::ones({2, 3})) == 1);
  CHECK(share_equal(Tensor::full({1}, NAN), Tensor::full({1}, NAN)) == 0);
}

TEST_CASE("weights sum to 1 along one axis and not along another") {
  const Tensor rows = Tensor::from({0.25, 0.75, 0.5, 0.5}, {2, 2}, DType::float64);
  CHECK(sums_to_one(rows, 1));
  CHECK_FALSE(sums_to_one(rows, 0));
}
