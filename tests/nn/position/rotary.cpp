#include "nn/position/rotary.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/nn/layers.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr Size B = 2, H = 3, T = 5, d = 6;
const Tensor x = random({B, H, T, d});

double angle(Size p, Size i) { return static_cast<double>(p) / std::pow(10000, 2 * static_cast<double>(i) / d); }

}  // namespace

TEST_CASE("every pair of neighbours is turned by its position's angle") {
  for (Size first : {0, 4}) {
    const Tensor y = rotary(Var(x), first).value();
    CHECK(y.shape() == x.shape());
    for (Size b = 0; b < B; ++b) {
      for (Size h = 0; h < H; ++h) {
        for (Size t = 0; t < T; ++t) {
          for (Size i = 0; i < d / 2; ++i) {
            const double a = x.at({b, h, t, 2 * i}), c = x.at({b, h, t, 2 * i + 1}), phi = angle(first + t, i);
            check_close(y.at({b, h, t, 2 * i}), a * std::cos(phi) - c * std::sin(phi), 1e-14);
            check_close(y.at({b, h, t, 2 * i + 1}), a * std::sin(phi) + c * std::cos(phi), 1e-14);
          }
        }
      }
    }
  }
}

TEST_CASE("position 0 is not turned at all, and lengths are kept") {
  const Var y = rotary(Var(x));
  check_agree(slice(y, 2, 0, 1), slice(Var(x), 2, 0, 1), 0);
  check_agree(norm(y, {-1}), norm(Var(x), {-1}), 1e-14);
}

TEST_CASE("the product of a turned query and a turned key depends on their distance only") {
  const Var q(random({1, d}, DType::float64, 2)), k(random({1, d}, DType::float64, 3));
  for (Size distance : {0, 1, 5, 17}) {
    const auto product = [&](Size p) { return sum(rotary(q, p + distance) * rotary(k, p)).item(); };
    for (Size p : {1, 10, 100}) check_close(product(p), product(0), 2.5e-14);
  }
  const double ahead = sum(rotary(q, 3) * rotary(k, 0)).item(), behind = sum(rotary(q, 0) * rotary(k, 3)).item();
  CHECK(std::fabs(ahead - behind) > 1e-2);  // the sign of the distance counts
}

TEST_CASE("positions may be given, in any order and of any number") {
  const Tensor places = Tensor::from_ints({4, 0, 2, 2, 7}, {T});
  const Var y = rotary_at(Var(x), places);
  for (Size t = 0; t < T; ++t) {
    check_agree(slice(y, 2, t, 1), rotary(slice(Var(x), 2, t, 1), places.to_ints()[static_cast<std::size_t>(t)]), 0);
  }
  check_agree(rotary_at(Var(x), numbers({3, 4, 5, 6, 7}, {T})), rotary(Var(x), 3), 0);
  check_agree(rotary(Var(x), 1, 1), rotary_at(Var(x), numbers({1, 2, 3, 4, 5}, {T}), 1), 0);
}

TEST_CASE("an odd width and positions of another number are named") {
  check_throws_with([] { rotary(Var(random({T, 5}))); }, {"rotary: ", "[5, 5]", "even"});
  check_throws_with([] { rotary(Var(random({4}))); }, {"rotary: ", "[4]"});
  check_throws_with([] { rotary_at(Var(x), Tensor::arange(4)); }, {"rotary: ", "[2, 3, 5, 6]", "[4]"});
}

TEST_CASE("a base that has no powers is refused") {
  for (double base : {0.0, -3.0, std::nan("")}) {
    check_throws_with([&] { rotary(Var(x), 0, base); }, {"rotary: ", "base", "[2, 3, 5, 6]"});
  }
}
