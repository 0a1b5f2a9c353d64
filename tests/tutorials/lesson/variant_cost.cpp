#include "tutorials/lesson/variant_cost.hpp"

#include <doctest/doctest.h>

#include "tests/support/compare.hpp"

using namespace attend;
using namespace attend::lesson;

TEST_CASE("what is counted is what the formula of each variant says") {
  for (const Family& family : {sparse_family(), low_rank_family(), kernel_family()}) {
    for (const Variant& variant : family.variants) {
      CAPTURE(variant.name);
      CHECK(counted_multiplications(variant, 100, 8) == variant.multiplications(100, 8));
    }
  }
}

TEST_CASE("a square grows by the power of 2") { test::check_close(growth({2, 4, 16}, {5, 20, 320}), 2, 0, 1e-12); }

TEST_CASE("times are above 0, one for each length of each variant") {
  const std::vector<Variant> two = {sparse_family().variants[0], kernel_family().variants[0]};
  const std::vector<std::vector<double>> times = time_table(two, {16, 32, 64}, 8, 1, true);
  CHECK(times.size() == 2);
  for (const std::vector<double>& of_one : times) {
    CHECK(of_one.size() == 3);
    for (const double time : of_one) CHECK(time > 0);
  }
}
