#include "tensor/shape.hpp"

#include <doctest/doctest.h>

#include "tests/support/compare.hpp"

using namespace attend;
using namespace attend::test;

TEST_CASE("sizes are pushed, inserted, erased and compared") {
  Sizes sizes{2, 3};
  sizes.push_back(5);
  sizes.insert(0, 1);
  sizes.insert(2, 7);
  CHECK(text(sizes) == "[1, 2, 7, 3, 5]");
  sizes.erase(1);
  sizes.erase(3);
  CHECK(text(sizes) == "[1, 7, 3]");
  CHECK(sizes.back() == 3);
  CHECK(sizes == Sizes{1, 7, 3});
  CHECK(sizes != Sizes{1, 7});
  CHECK(sizes != Sizes{1, 7, 4});
  CHECK(Sizes::repeat(3, 4) == Sizes{4, 4, 4});
  CHECK(Sizes::repeat(0, 4).empty());
  CHECK(text(Sizes{}) == "[]");
  CHECK(text(Sizes{-1}) == "[-1]");
}

TEST_CASE("a ninth axis is refused") {
  CHECK(Sizes{1, 2, 3, 4, 5, 6, 7, 8}.size() == max_rank);
  check_throws_with([] { Sizes::repeat(9, 2); }, {"shape", "[2, 2, 2, 2, 2, 2, 2, 2]"});
  check_throws_with([] { Sizes{1, 2, 3, 4, 5, 6, 7, 8, 9}; }, {"shape", "8 axes"});
  check_throws_with([] { Sizes{1, 2, 3, 4, 5, 6, 7, 8}.insert(0, 9); }, {"shape", "8 axes"});
}

TEST_CASE("the number of elements is the product of the sizes, 1 for a number and 0 for an empty axis") {
  CHECK(element_count({}) == 1);
  CHECK(element_count({3, 4}) == 12);
  CHECK(element_count({3, 0, 4}) == 0);
  const Size large = Size{1} << 30;
  CHECK(element_count({large, large / 2}) == large * (large / 2));
  check_throws_with([&] { element_count({large, large}); }, {"shape", "[1073741824, 1073741824]"});
  check_throws_with([&] { element_count({large, large, large, large, 2}); }, {"shape", "1073741824, 2]"});
  CHECK(element_count({Size{1} << 30, Size{1} << 29}) == Size{1} << 59);
}

TEST_CASE("an axis is counted from the front or from the end") {
  CHECK(normal_axis("op", 0, 3) == 0);
  CHECK(normal_axis("op", 2, 3) == 2);
  CHECK(normal_axis("op", -1, 3) == 2);
  CHECK(normal_axis("op", -3, 3) == 0);
  check_throws_with([] { normal_axis("op", 3, 3); }, {"op", "axis 3", "3 axes"});
  check_throws_with([] { normal_axis("op", -4, 3); }, {"op", "axis -4", "3 axes"});
  check_throws_with([] { normal_axis("op", 0, 0); }, {"op", "axis 0", "0 axes"});
}

TEST_CASE("axes are sorted, and one named twice is refused (O-12)") {
  CHECK(normal_axes("op", {2, 0}, 3) == Axes{0, 2});
  CHECK(normal_axes("op", {-1, 0, -2}, 3) == Axes{0, 1, 2});
  CHECK(normal_axes("op", {}, 3) == Axes{});
  check_throws_with([] { normal_axes("op", {1, 1}, 3); }, {"op", "[1, 1]", "twice"});
  check_throws_with([] { normal_axes("op", {2, -1}, 3); }, {"op", "[2, -1]", "twice"});
}

TEST_CASE("a reduced shape keeps its axes with size 1 or drops them") {
  CHECK(reduced_shape({2, 3, 4}, {0, 2}, false) == Shape{3});
  CHECK(reduced_shape({2, 3, 4}, {0, 2}, true) == Shape{1, 3, 1});
  CHECK(reduced_shape({2, 3}, {}, false) == Shape{2, 3});
  CHECK(reduced_shape({2, 0}, {1}, true) == Shape{2, 1});
  CHECK(batch_shape({5, 2, 3, 4}) == Shape{5, 2});
  CHECK(with_matrix({5, 2}, 3, 4) == Shape{5, 2, 3, 4});
}

TEST_CASE("shapes broadcast as in NumPy") {
  CHECK(broadcast_shape("op", {3, 4}, {4}) == Shape{3, 4});
  CHECK(broadcast_shape("op", {3, 1}, {1, 4}) == Shape{3, 4});
  CHECK(broadcast_shape("op", {2, 1, 4}, {3, 1}) == Shape{2, 3, 4});
  CHECK(broadcast_shape("op", {}, {2, 3}) == Shape{2, 3});
  CHECK(broadcast_shape("op", {}, {}) == Shape{});
  CHECK(broadcast_shape("op", {1}, {0}) == Shape{0});
  CHECK(broadcast_shape("op", {2, 0}, {2, 1}) == Shape{2, 0});
  check_throws_with([] { broadcast_shape("op", {3, 4}, {3}); }, {"op", "[3, 4]", "[3]"});
  check_throws_with([] { broadcast_shape("op", {2, 0}, {2, 3}); }, {"op", "[2, 0]", "[2, 3]"});
}

TEST_CASE("row-major strides") {
  CHECK(row_major({2, 3, 4}) == Strides{12, 4, 1});
  CHECK(row_major({}) == Strides{});
}
