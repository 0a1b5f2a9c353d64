// The comparison that all other tests rely on.
#include <doctest/doctest.h>

#include <stdexcept>

#include "tests/support/compare.hpp"
#include "tests/support/special.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

bool differs(const std::vector<double>& found, const std::vector<double>& expected, double atol, double rtol = 0) {
  const Shape shape{static_cast<Size>(found.size())};
  return !difference(numbers(found, shape), shape, expected, atol, rtol).empty();
}

}  // namespace

TEST_CASE("a gradient of 1e-6 is not taken for one of 2e-6 (O-50)") {
  CHECK(differs({1e-6}, {2e-6}, 1e-8));
  CHECK(differs({1e-6}, {2e-6}, 0, 0.4));
  CHECK(differs({0}, {1e-5}, 1e-8));
  CHECK_FALSE(differs({1e-6}, {1.0000001e-6}, 0, 1e-6));
  CHECK_FALSE(differs({1}, {1 + 1e-9}, 1e-8));
}

TEST_CASE("an infinity equals only itself and NaN equals nothing (O-50)") {
  CHECK_FALSE(differs({infinity}, {infinity}, 0));
  CHECK(differs({infinity}, {-infinity}, 1e300, 1));
  CHECK(differs({1}, {infinity}, 1, 1));
  CHECK(differs({infinity}, {1}, 1, 1));
  CHECK(differs({not_a_number}, {not_a_number}, 1, 1));
  CHECK(differs({not_a_number}, {0}, infinity));
}

TEST_CASE("the shape is compared before the numbers") {
  CHECK(difference(numbers({1, 2}, {2, 1}), {1, 2}, {1, 2}, 0) == "shape [2, 1], expected [1, 2]");
  CHECK(difference(numbers({1, 2}, {2}), {2, 1}, {1, 2}, 0) == "shape [2], expected [2, 1]");
  CHECK(difference(Tensor(), {1}, {1}, 0) == "there is no tensor at all");
  CHECK(difference(numbers({1}, {1}), {2}, {1}, 0) == "the test itself expects 1 numbers for shape [2]");
}

TEST_CASE("the first wrong element is named by its index") {
  const std::string wrong = difference(numbers({1, 2, 3, 4, 5, 6}, {2, 3}), {2, 3}, {1, 2, 3, 4, 5.5, 6.5}, 1e-3);
  CHECK(wrong == "at [1, 1] 5, expected 5.5 (difference -0.5); 2 of 6 numbers differ");
}

TEST_CASE("same_bits tells 0 from -0 and one dtype from another") {
  CHECK(same_bits(numbers({0, not_a_number}, {2}), numbers({0, not_a_number}, {2})));
  CHECK_FALSE(same_bits(numbers({0}, {1}), numbers({-0.0}, {1})));
  CHECK_FALSE(same_bits(numbers({0}, {1}), Tensor::zeros({1})));
  CHECK_FALSE(same_bits(numbers({0}, {1}), numbers({0}, {1, 1})));
  CHECK_FALSE(same_bits(Tensor::from_ints({1}, {1}), Tensor::from_ints({2}, {1})));
  CHECK_FALSE(same_bits(Tensor::from_bools({true}, {1}), Tensor::from_bools({false}, {1})));
}

TEST_CASE("views_of holds the same numbers in other places") {
  for (const Shape& shape : {Shape{2, 3, 4}, Shape{1, 3}, Shape{5}, Shape{}, Shape{2, 0, 3}}) {
    for (DType dtype : {DType::float32, DType::float64}) {
      const Tensor x = random(shape, dtype);
      for (const View& view : views_of(x)) {
        INFO(view.name, " ", text(shape));
        CHECK(view.tensor.dtype() == dtype);
        check_agree(view.tensor, x, 0);
      }
    }
  }
  const Tensor x = random({2, 3, 4});
  CHECK(views_of(x)[0].tensor.strides() == Strides{1, 2, 6});
  CHECK(views_of(x)[1].tensor.strides() == Strides{126, 18, 2});
  CHECK(views_of(x)[2].tensor.strides() == Strides{-12, -4, -1});
  CHECK(views_of(random({2, 1}))[4].tensor.strides() == Strides{1, 0});
}
