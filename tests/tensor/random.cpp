#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

// The fixed numbers come from an implementation of its own, in Python, of the engine and of the distributions.

TEST_CASE("the first uniform numbers of seed 0 (O-44)") {
  Rng rng(0);
  for (double expected :
       {0.1597933633704608, 0.9921452096298288, 0.03956902584486566, 0.5974946626946717, 0.5422849699926044}) {
    CHECK(rng.uniform() == expected);
  }
}

TEST_CASE("the first normal numbers of seed 0 (O-44)") {
  Rng rng(0);
  for (double expected :
       {0.5893788037363092, -0.029111312662311217, -0.23249007105176506, -0.16338511119062632, 1.1704404331107556}) {
    check_close(rng.normal(), expected, 0, 1e-15);  // sin and log may differ in the last bit between libraries
  }
}

TEST_CASE("the first permutation and the first draws below 10 of seed 0 (O-44)") {
  CHECK(Rng(0).permutation(8) == std::vector<std::int64_t>{4, 5, 2, 0, 7, 1, 3, 6});
  Rng rng(0);
  for (std::int64_t expected : {4, 7, 3, 8, 6, 8, 3, 4}) CHECK(rng.below(10) == expected);
}

TEST_CASE("a permutation holds every number once, in an order of its own") {
  Rng rng(5);
  const auto order = rng.permutation(100);
  CHECK(std::set<std::int64_t>(order.begin(), order.end()).size() == 100);
  CHECK(*std::min_element(order.begin(), order.end()) == 0);
  CHECK(*std::max_element(order.begin(), order.end()) == 99);
  CHECK(order != rng.permutation(100));
  CHECK(rng.permutation(0).empty());
  std::vector<int> first(4);
  for (int i = 0; i < 4000; ++i) ++first[static_cast<std::size_t>(rng.permutation(4)[0])];
  for (int count : first) CHECK(std::abs(count - 1000) < 120);  // over 4 standard deviations
}

TEST_CASE("below is uniform and stays below, for bounds that do not divide 2^64") {
  Rng rng(3);
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts.at(static_cast<std::size_t>(rng.below(7)));
  for (int count : counts) CHECK(std::abs(count - 10000) < 400);
  // Two thirds of 2^63: without a second draw for the rest, the lower half would come twice as often.
  const std::int64_t bound = std::int64_t{3} << 61;
  int low = 0;
  for (int i = 0; i < 10000; ++i) low += rng.below(bound) < bound / 2;
  CHECK(std::abs(low - 5000) < 220);
  CHECK(rng.below(1) == 0);
}

TEST_CASE("uniform and normal numbers have the mean and spread they claim") {
  Rng rng(11);
  const Tensor u = rng.uniform({40000}, -1, 3, DType::float64), n = rng.normal({40000}, 2, 0.5, DType::float64);
  const auto moments = [](const Tensor& x) {
    double mean = 0, square = 0;
    for (double value : x.to_vector()) mean += value / 40000, square += value * value / 40000;
    return std::pair(mean, std::sqrt(square - mean * mean));
  };
  check_close(moments(u).first, 1, 0.03);
  check_close(moments(u).second, 4 / std::sqrt(12.0), 0.02);
  check_close(moments(n).first, 2, 0.012);
  check_close(moments(n).second, 0.5, 0.01);
  for (double value : u.to_vector()) REQUIRE((value >= -1 && value < 3));
}

TEST_CASE("bernoulli draws true with the given probability") {
  Rng rng(2);
  const Tensor draws = rng.bernoulli({100, 100}, 0.3);
  CHECK(draws.dtype() == DType::boolean);
  check_close(kernel::sum(kernel::cast(draws, DType::float64), {0, 1}, false).item(), 3000, 200);
  CHECK_FALSE(kernel::any(rng.bernoulli({50}, 0)));
  CHECK(kernel::all(rng.bernoulli({50}, 1)));
}

TEST_CASE("the same seed gives the same numbers, also as float32 and in one piece or two") {
  Rng a(9), b(9), c(9);
  const Tensor whole = a.normal({6}, 0, 1, DType::float64), narrow = b.normal({6}, 0, 1);
  CHECK(narrow.dtype() == DType::float32);
  CHECK(same_bits(kernel::cast(whole, DType::float32), narrow));
  const Tensor front = c.normal({3}, 0, 1, DType::float64), back = c.normal({3}, 0, 1, DType::float64);
  CHECK(same_bits(kernel::concat({front, back}, 0), whole));
  CHECK(a == c);
}

TEST_CASE("a tensor that was drawn stays as it is (O-40)") {
  Rng rng(1);
  const Tensor x = rng.uniform({8}, 0, 1);
  CHECK(same_bits(kernel::add(x, x), kernel::affine(x, 2, 0)));
  CHECK(x.to_vector() == x.to_vector());
}

TEST_CASE("a copy of a stream goes on like the original, a split one does not") {
  Rng a(4);
  a.normal();  // the second number of the pair waits
  Rng copy = a;
  CHECK(copy == a);
  CHECK(copy.normal() == a.normal());
  Rng part = a.split();
  CHECK(part != a);
  CHECK(copy != a);
  copy.split();
  CHECK(copy == a);
  CHECK(part.uniform() != a.uniform());
}

TEST_CASE("bounds and dtypes that make no sense are refused") {
  Rng rng(0);
  check_throws_with([&] { rng.below(0); }, {"Rng", "below(0)"});
  check_throws_with([&] { rng.permutation(-1); }, {"Rng", "-1"});
  check_throws_with([&] { rng.uniform({2}, 0, 1, DType::int64); }, {"Rng", "int64"});
  check_throws_with([&] { rng.normal({2}, 0, 1, DType::boolean); }, {"Rng", "bool"});
  check_throws_with([&] { rng.normal({-2}, 0, 1); }, {"tensor", "[-2]"});
}
