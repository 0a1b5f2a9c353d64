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

TEST_CASE("lengths are doubled as long as they are not too long") {
  CHECK(doubling(256, 2048) == std::vector<Size>{256, 512, 1024, 2048});
  CHECK(doubling(3, 11) == std::vector<Size>{3, 6});
  CHECK(doubling(3, 2).empty());
}

TEST_CASE("a table of costs gives those of one variant after those of the other") {
  const std::vector<Variant> two = {sparse_family().variants[0], kernel_family().variants[0]};
  const auto cost = [&](const Variant& variant, Size T) {
    return static_cast<double>(variant.name == two[0].name ? T : 10 * T);
  };
  const auto all = cost_table(two, {2, 4}, cost, [](double one) { return std::to_string(one); });
  CHECK(all == std::vector<std::vector<double>>{{2, 4}, {20, 40}});
}
