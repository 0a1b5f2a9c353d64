#include <doctest/doctest.h>

#include <cmath>

#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

TEST_CASE("a default tensor is no tensor, and a number has no axes and one element (O-11)") {
  CHECK_FALSE(Tensor().defined());
  const Tensor number = Tensor::full({}, 2.5);
  CHECK(number.defined());
  CHECK(number.rank() == 0);
  CHECK(number.size() == 1);
  CHECK(number.item() == 2.5);
  CHECK(number.contiguous());
}

TEST_CASE("to ask a tensor that was never given a value is an error, and no crash") {
  const Tensor none;
  check_throws_with([&] { none.shape(); }, {"tensor", "undefined", "defined()"});
  check_throws_with([&] { none.item(); }, {"tensor", "undefined"});
  check_throws_with([&] { none.data<float>(); }, {"tensor", "undefined"});
  check_throws_with([&] { contiguous(none); }, {"tensor", "undefined"});
  check_throws_with([&] { kernel::exp(none); }, {"tensor", "undefined"});
  check_throws_with([&] { kernel::add(numbers({1}, {1}), none); }, {"tensor", "undefined"});
}

TEST_CASE("a list in braces is a shape where a shape is asked for (O-11)") {
  CHECK(Tensor::zeros({1, 3, 4, 2}).size() == 24);
  CHECK(Tensor::zeros({1, 3, 4, 2}).rank() == 4);
  check_close(Tensor::from({2, 3}, {2, 1}), {2, 1}, {2, 3}, 0);
}

TEST_CASE("every dtype keeps its numbers") {
  const std::int64_t large = (std::int64_t{1} << 62) + 1;  // a double would round it
  const Tensor whole = Tensor::from_ints({large, -large}, {2});
  CHECK(whole.dtype() == DType::int64);
  CHECK(whole.to_ints() == std::vector<std::int64_t>{large, -large});
  const Tensor truth = Tensor::from_bools({true, false, true}, {3});
  CHECK(truth.dtype() == DType::boolean);
  check_close(truth, {3}, {1, 0, 1}, 0);
  check_close(Tensor::from({0.1, -7}, {2}), {2}, {0.1f, -7}, 0);
  check_close(Tensor::from({0.1, -7}, {2}, DType::float64), {2}, {0.1, -7}, 0);
  check_close(Tensor::from({3, -4}, {2}, DType::int64), {2}, {3, -4}, 0);
  check_close(Tensor::arange(4), {4}, {0, 1, 2, 3}, 0);
  check_close(Tensor::arange(0), {0}, {}, 0);
  check_close(Tensor::ones({2, 2}, DType::boolean), {2, 2}, {1, 1, 1, 1}, 0);
}

TEST_CASE("a dtype has a name and a width") {
  CHECK(std::string(text(DType::float32)) == "float32");
  CHECK(std::string(text(DType::float64)) == "float64");
  CHECK(std::string(text(DType::int64)) == "int64");
  CHECK(std::string(text(DType::boolean)) == "bool");
  CHECK(width(DType::float32) == 4);
  CHECK(width(DType::float64) == 8);
  CHECK(width(DType::int64) == 8);
  CHECK(width(DType::boolean) == 1);
}

TEST_CASE("an element is found from the front and from the end, in views too") {
  const Tensor x = numbers({0, 1, 2, 10, 11, 12}, {2, 3});
  CHECK(x.at({1, 2}) == 12);
  CHECK(x.at({-1, -3}) == 10);
  CHECK(transpose(x).at({2, 1}) == 12);
  CHECK(flip(x, {0}).at({0, 1}) == 11);
  check_throws_with([&] { x.at({2, 0}); }, {"at", "[2, 0]", "[2, 3]"});
  check_throws_with([&] { x.at({0, -4}); }, {"at", "[0, -4]", "[2, 3]"});
  check_throws_with([&] { x.at({0}); }, {"at", "[0]", "[2, 3]"});
  check_throws_with([&] { x.at({0, 0, 0}); }, {"at", "[0, 0, 0]", "[2, 3]"});
}

TEST_CASE("only one element has an item") {
  CHECK(numbers({7}, {1, 1}).item() == 7);
  check_throws_with([] { numbers({1, 2}, {2}).item(); }, {"item", "[2]"});
  check_throws_with([] { numbers({}, {0}).item(); }, {"item", "[0]"});
}

TEST_CASE("numbers that do not fill the shape are refused, and so is a negative size (O-36)") {
  check_throws_with([] { Tensor::from({1, 2, 3}, {2, 2}); }, {"tensor", "3", "[2, 2]"});
  check_throws_with([] { Tensor::from_ints({1}, {0}); }, {"tensor", "1", "[0]"});
  check_throws_with([] { Tensor::from_bools({}, {}); }, {"tensor", "0", "[]"});
  check_throws_with([] { Tensor::zeros({2, -1}); }, {"tensor", "[2, -1]"});
  check_throws_with([] { Tensor::from({1, 2}, {-1, -2}); }, {"tensor", "[-1, -2]"});
  check_throws_with([] { Tensor::arange(-1); }, {"tensor", "[-1]"});
}

TEST_CASE("a shape whose elements cannot be counted is refused before any memory is asked for") {
  const Size half = Size{1} << 31;
  for (const Shape& shape :
       {Shape{half, half, 4}, Shape{half * half}, Shape{std::numeric_limits<Size>::max()}, Shape{half, half, 0}}) {
    CAPTURE(text(shape));
    check_throws_with([&] { Tensor::zeros(shape); }, {"shape", text(shape)});
    check_throws_with([&] { broadcast_to(Tensor::zeros({}), shape); }, {"shape", text(shape)});
  }
  check_throws_with([&] { Tensor::arange(half * half); }, {"shape", text(Shape{half * half})});
}

TEST_CASE("kernels leave their operands alone, also where both are one tensor (O-56)") {
  const Tensor x = numbers({1, 2, 3, 4}, {2, 2});
  check_close(contiguous(transpose(x)), {2, 2}, {1, 3, 2, 4}, 0);
  check_close(kernel::add(x, transpose(x)), {2, 2}, {2, 5, 5, 8}, 0);
  check_close(kernel::matmul(x, x), {2, 2}, {7, 10, 15, 22}, 0);
  check_close(kernel::index_add(x, 0, Tensor::from_ints({0}, {1}), slice(x, 0, 1, 1)), {2, 2}, {4, 6, 3, 4}, 0);
  check_close(x, {2, 2}, {1, 2, 3, 4}, 0);
}

TEST_CASE("contiguous returns a row-major tensor itself and copies any other") {
  const Tensor x = random({3, 4});
  CHECK(contiguous(x).shares_block(x));
  for (const View& view : views_of(x)) {
    const Tensor dense = contiguous(view.tensor);
    CHECK(dense.strides() == Strides{4, 1});
    check_agree(dense, x, 0);
  }
  const Tensor column = Tensor::from_ints({1, 2, 3}, {3, 1});
  check_close(contiguous(broadcast_to(column, {3, 2})), {3, 2}, {1, 1, 2, 2, 3, 3}, 0);
  check_close(contiguous(transpose(Tensor::from_bools({true, false}, {1, 2}))), {2, 1}, {1, 0}, 0);
}

TEST_CASE("a value that a node did not keep cannot be read, nor one under another type") {
  const Tensor x = random({2});
  CHECK_FALSE(x.without_data().has_data());
  CHECK(x.without_data().shape() == x.shape());
  CHECK_FALSE(x.without_data().shares_block(x.without_data()));
  CHECK_THROWS_AS(x.without_data().to_vector(), std::logic_error);
  CHECK_THROWS_AS(x.data<float>(), std::logic_error);
}

TEST_CASE("copies share the block, and results of kernels do not") {
  const Tensor x = random({2, 3}), copy = x;
  CHECK(copy.shares_block(x));
  CHECK_FALSE(kernel::add(x, x).shares_block(x));
  CHECK_FALSE(Tensor().shares_block(Tensor()));
}
