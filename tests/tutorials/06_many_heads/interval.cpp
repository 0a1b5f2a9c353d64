#include "tutorials/06_many_heads/interval.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "tensor/random.hpp"
#include "tests/support/compare.hpp"

using namespace attend;
using namespace attend::chapter06;
using attend::test::check_close;

TEST_CASE("Student's t has the quantiles of the printed tables") {
  check_close(student_quantile(0.95, 1), 12.7062, 5e-5);
  check_close(student_quantile(0.95, 4), 2.77645, 5e-6);
  check_close(student_quantile(0.95, 24), 2.06390, 5e-6);
  check_close(student_quantile(0.90, 4), 2.13185, 5e-6);
  check_close(student_quantile(0.95, 100000), 1.95999, 5e-5);  // nearly normal
}

TEST_CASE("half of Student's t is below 0, and with one degree of freedom it is Cauchy's") {
  check_close(student_probability(0, 7), 0.5, 1e-14);
  check_close(student_probability(2, 1), 0.5 + std::atan(2.0) / M_PI, 1e-9);
  check_close(student_probability(-2, 1), 0.5 - std::atan(2.0) / M_PI, 1e-9);
}

TEST_CASE("the interval of 1, 2, 3, 4, 5, worked out by hand") {
  const Interval plain = interval_of({1, 2, 3, 4, 5});  // variance 2.5, standard error √0.5
  check_close(plain.mean, 3, 1e-15);
  check_close(plain.high - plain.mean, 2.77645 * std::sqrt(0.5), 1e-5);
  check_close(plain.mean - plain.low, plain.high - plain.mean, 1e-14);
  CHECK(plain.holds(4.9));
  CHECK(!plain.holds(5.0));
  CHECK(!plain.holds(1.0));
}

TEST_CASE("the corrected interval of five folds is 1.5 times as wide") {
  const Interval plain = interval_of({1, 2, 3, 4, 5}), corrected = interval_of({1, 2, 3, 4, 5}, 0.25);
  check_close((corrected.high - corrected.low) / (plain.high - plain.low), 1.5, 1e-12);
  check_close(corrected.mean, plain.mean, 0);
}

TEST_CASE("of independent normal differences, 95 of 100 intervals hold the true mean") {
  Rng rng(1);
  constexpr Size repetitions = 1000;
  Size held = 0;
  for (Size i = 0; i < repetitions; ++i) {
    std::vector<double> differences;
    for (Size n = 0; n < 5; ++n) differences.push_back(1.5 + 2 * rng.normal());
    held += interval_of(differences).holds(1.5);
  }
  check_close(static_cast<double>(held) / repetitions, 0.95, 0.024);  // 3.5 standard deviations
}

TEST_CASE("differences are paired place by place, and one alone has no interval") {
  CHECK(paired_differences({3, 1}, {1, 2}) == std::vector<double>{2, -1});
  CHECK_THROWS_AS(paired_differences({1}, {1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(interval_of({1}), std::invalid_argument);
}
