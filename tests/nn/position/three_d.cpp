#include "nn/position/three_d.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "nn/position/rotary.hpp"
#include "nn/position/sinusoidal.hpp"
#include "tests/nn/layers.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr Extent extent = {2, 3, 4};

Size place(Size t, Size y, Size x) { return (t * extent.height + y) * extent.width + x; }

}  // namespace

TEST_CASE("each third of a position's vector belongs to one axis: time, height, width") {
  for (Size third : {1, 4, 5}) {
    const Tensor P = sinusoidal_positions_3d(extent, 3 * third, DType::float64);
    CHECK(P.shape() == Shape{24, 3 * third});
    const Tensor line = sinusoidal_positions(4, third, 0, 10000, DType::float64);
    for (Size t = 0; t < extent.time; ++t) {
      for (Size y = 0; y < extent.height; ++y) {
        for (Size x = 0; x < extent.width; ++x) {
          for (Size c = 0; c < third; ++c) {
            CHECK(P.at({place(t, y, x), c}) == line.at({t, c}));
            CHECK(P.at({place(t, y, x), third + c}) == line.at({y, c}));
            CHECK(P.at({place(t, y, x), 2 * third + c}) == line.at({x, c}));
          }
        }
      }
    }
  }
}

TEST_CASE("in three dimensions, each third is turned by the position on its own axis") {
  const Size d = 12;
  const Var x(random({2, extent.count(), d}));
  const Var turned = rotary_3d(x, extent);
  CHECK(turned.shape() == x.shape());
  for (Size t = 0; t < extent.time; ++t) {
    for (Size y = 0; y < extent.height; ++y) {
      for (Size w = 0; w < extent.width; ++w) {
        const Size along[] = {t, y, w};
        for (Size axis = 0; axis < 3; ++axis) {
          const auto third = [&](const Var& v) { return slice(slice(v, 1, place(t, y, w), 1), 2, axis * 4, 4); };
          check_agree(third(turned), rotary(third(x), along[axis]), 0);
        }
      }
    }
  }
}

TEST_CASE("products of turned vectors depend on the three distances only") {
  const Var q = broadcast_to(Var(random({1, 6}, DType::float64, 2)), {24, 6});
  const Var k = broadcast_to(Var(random({1, 6}, DType::float64, 3)), {24, 6});
  const Tensor products = matmul(rotary_3d(q, extent), transpose(rotary_3d(k, extent))).value();
  check_close(products.at({place(1, 1, 2), place(0, 2, 0)}), products.at({place(1, 0, 3), place(0, 1, 1)}), 2.5e-14);
  check_close(products.at({place(0, 2, 3), place(0, 0, 1)}), products.at({place(1, 2, 2), place(1, 0, 0)}), 2.5e-14);
  CHECK(std::fabs(products.at({place(1, 0, 0), 0}) - products.at({place(0, 1, 0), 0})) > 1e-3);
  CHECK(std::fabs(products.at({place(0, 1, 0), 0}) - products.at({place(0, 0, 1), 0})) > 1e-3);
}

TEST_CASE("widths and numbers of positions that do not fit are named") {
  check_throws_with([] { sinusoidal_positions_3d(extent, 8); }, {"sinusoidal positions in 3-D: ", "8", "3"});
  check_throws_with([] { sinusoidal_positions_3d(extent, 0); }, {"sinusoidal positions in 3-D: ", "0"});
  check_throws_with([] { rotary_3d(Var(random({24, 9})), extent); }, {"rotary in 3-D: ", "[24, 9]", "6"});
  check_throws_with([] { rotary_3d(Var(random({23, 6})), extent); }, {"rotary in 3-D: ", "[23, 6]", "2 x 3 x 4"});
  check_throws_with([] { rotary_3d(Var(random({6})), extent); }, {"rotary in 3-D: ", "[6]"});
}

TEST_CASE("negative extents whose product fits are refused") {
  check_throws_with([] { rotary_3d(Var(random({4, 6})), {-2, -2, 1}); }, {"rotary in 3-D: ", "-2 x -2 x 1"});
  check_throws_with([] { sinusoidal_positions_3d({-2, -2, 1}, 6); }, {"sinusoidal positions in 3-D: ", "-2 x -2 x 1"});
}
