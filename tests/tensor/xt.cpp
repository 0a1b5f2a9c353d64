#include "tensor/xt.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <type_traits>

using namespace attend;

namespace {

// Whether as_xtensor<double> takes an argument of this kind.
template <class X, class = void>
struct IsTaken : std::false_type {};
template <class X>
struct IsTaken<X, std::void_t<decltype(as_xtensor<double>(std::declval<X>()))>> : std::true_type {};

}  // namespace

TEST_CASE("an xtensor expression over tensors becomes a tensor") {
  const Tensor x = Tensor::from({1, 2, 3, 4, 5, 6}, {2, 3}, DType::float64);
  const Tensor row = Tensor::from({10, 20, 30}, {3}, DType::float64);
  const auto a = as_xtensor<double>(x);
  const auto b = as_xtensor<double>(row);
  const Tensor y = from_xtensor(2.0 * a + b);
  CHECK(y.dtype() == DType::float64);
  CHECK(y.shape() == Shape{2, 3});
  CHECK(y.to_vector() == std::vector<double>{12, 24, 36, 18, 30, 42});
}

TEST_CASE("the view of a tensor is its memory, and the result is not") {
  const Tensor x = Tensor::from({1, 2}, {2});
  const auto a = as_xtensor<float>(x);
  CHECK(&a(0) == x.data<float>());
  CHECK(!from_xtensor(a).shares_block(x));
}

TEST_CASE("element types come out as they went in, and integers as int64") {
  const Tensor x = Tensor::from({-1, 2}, {2}), n = Tensor::from_ints({3, 4}, {2}),
               m = Tensor::from_bools({true, false}, {2});
  CHECK(from_xtensor(as_xtensor<float>(x)).dtype() == DType::float32);
  CHECK(from_xtensor(as_xtensor<std::int64_t>(n) * 2).to_ints() == std::vector<std::int64_t>{6, 8});
  CHECK(from_xtensor(!as_xtensor<bool>(m)).to_vector() == std::vector<double>{0, 1});
  const Tensor positive = from_xtensor(as_xtensor<float>(x) > 0.0f);
  CHECK(positive.dtype() == DType::boolean);
  CHECK(positive.to_vector() == std::vector<double>{0, 1});
  const xt::xarray<int> whole = {1, 2, 3};
  CHECK(from_xtensor(whole).dtype() == DType::int64);
}

TEST_CASE("scalars and tensors without elements pass through") {
  const Tensor number = Tensor::from({3}, {}), none = Tensor::zeros({0, 2});
  CHECK(from_xtensor(as_xtensor<float>(number) * 2.0f).item() == 6);
  CHECK(from_xtensor(as_xtensor<float>(none)).shape() == Shape{0, 2});
}

TEST_CASE("a reduction that is evaluated first is safe: the rows of a softmax sum to 1") {
  const Tensor x = Tensor::from({1, 2, 3, 1000, 1000, 1000}, {2, 3}, DType::float64);
  const auto a = as_xtensor<double>(x);
  const xt::xarray<double> top = xt::amax(a, {1}, xt::keep_dims);
  const xt::xarray<double> powers = xt::exp(a - top);
  const xt::xarray<double> sums = xt::sum(powers, {1}, xt::keep_dims);
  const Tensor y = from_xtensor(powers / sums);
  for (Size row : {0, 1}) CHECK(std::fabs(y.at({row, 0}) + y.at({row, 1}) + y.at({row, 2}) - 1) < 1e-15);
  CHECK(std::fabs(y.at({1, 0}) - 1.0 / 3) < 1e-15);
}

TEST_CASE("the wrong element type and a view with strides are refused with the shape") {
  const Tensor x = Tensor::ones({2, 3}), turned = transpose(x);
  CHECK_THROWS_WITH_AS(as_xtensor<double>(x), "as_xtensor: the elements of [2, 3] are float32, not float64",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(as_xtensor<float>(turned),
                       "as_xtensor: [3, 2] is a view with strides; take contiguous(x) first, and keep it",
                       std::invalid_argument);
}

TEST_CASE("no view is made of a temporary tensor, whose memory would be gone") {
  CHECK(IsTaken<const Tensor&>::value);
  CHECK(IsTaken<Tensor&>::value);
  CHECK(!IsTaken<Tensor>::value);
  CHECK(!IsTaken<const Tensor>::value);
}
