#include "nn/schedule.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/compare.hpp"

using namespace attend;
using namespace attend::test;

TEST_CASE("a step schedule multiplies by its factor after every so many steps") {
  check_close(step_rate(1, 0.8, 10, 0.5), 0.8, 0);
  check_close(step_rate(10, 0.8, 10, 0.5), 0.8, 0);
  check_close(step_rate(11, 0.8, 10, 0.5), 0.4, 0);
  check_close(step_rate(20, 0.8, 10, 0.5), 0.4, 0);
  check_close(step_rate(31, 0.8, 10, 0.5), 0.1, 0);
}

TEST_CASE("a cosine schedule goes from the first rate to the last, half way in the middle, and stays") {
  check_close(cosine_rate(1, 0.8, 5, 0.2), 0.8, 1e-16);
  check_close(cosine_rate(2, 0.8, 5, 0.2), 0.5 + 0.3 * std::sqrt(0.5), 1e-15);
  check_close(cosine_rate(3, 0.8, 5, 0.2), 0.5, 1e-15);
  check_close(cosine_rate(5, 0.8, 5, 0.2), 0.2, 0);
  check_close(cosine_rate(99, 0.8, 5, 0.2), 0.2, 0);
  check_close(cosine_rate(5, 0.8, 5), 0, 0);
  check_close(cosine_rate(1, 0.8, 1, 0.2), 0.2, 0);
}

TEST_CASE("a warm-up rises linearly to 1 and stays there") {
  check_close(warm_up(1, 4), 0.25, 0);
  check_close(warm_up(3, 4), 0.75, 0);
  check_close(warm_up(4, 4), 1, 0);
  check_close(warm_up(5, 4), 1, 0);
  check_close(warm_up(1, 1), 1, 0);
}

TEST_CASE("the inverse square root schedule peaks at the end of its warm-up, at (width · warm)^-1/2") {
  check_close(inverse_square_root_rate(4000, 512, 4000), 1 / std::sqrt(512.0 * 4000), 1e-18);
  check_close(inverse_square_root_rate(4000, 512, 4000), 6.9877e-4, 1e-8);
  check_close(inverse_square_root_rate(1, 512, 4000), 1 / std::sqrt(512.0) * std::pow(4000, -1.5), 1e-20);
  check_close(inverse_square_root_rate(2000, 512, 4000), 0.5 / std::sqrt(512.0 * 4000), 1e-18);
  check_close(inverse_square_root_rate(16000, 512, 4000), 0.5 / std::sqrt(512.0 * 4000), 1e-18);
  Size peak = 1;
  for (Size t = 1; t <= 1000; ++t) {
    if (inverse_square_root_rate(t, 64, 400) > inverse_square_root_rate(peak, 64, 400)) peak = t;
  }
  CHECK(peak == 400);
}

TEST_CASE("steps count from 1, and a schedule without steps is refused") {
  check_throws_with([] { step_rate(0, 1, 10, 0.5); }, {"step_rate: ", "0", "10"});
  check_throws_with([] { step_rate(1, 1, 0, 0.5); }, {"step_rate: ", "1", "0"});
  check_throws_with([] { cosine_rate(0, 1, 10); }, {"cosine_rate: ", "0", "10"});
  check_throws_with([] { cosine_rate(1, 1, 0); }, {"cosine_rate: ", "1", "0"});
  check_throws_with([] { warm_up(0, 4); }, {"warm_up: ", "0", "4"});
  check_throws_with([] { warm_up(1, 0); }, {"warm_up: ", "1", "0"});
  check_throws_with([] { inverse_square_root_rate(0, 64, 4); }, {"inverse_square_root_rate: ", "0", "4"});
  check_throws_with([] { inverse_square_root_rate(1, 64, 0); }, {"inverse_square_root_rate: ", "1", "0"});
  check_throws_with([] { inverse_square_root_rate(1, 0, 4); }, {"inverse_square_root_rate: ", "width 0"});
}
