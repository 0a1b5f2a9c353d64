#include "nn/position/sinusoidal.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/nn/layers.hpp"

using namespace attend;
using namespace attend::test;

namespace {

Tensor table(Size T, Size width, Size first = 0) {
  return sinusoidal_positions(T, width, first, 10000, DType::float64);
}

}  // namespace

TEST_CASE("sines and cosines stand side by side, with the frequency of their pair") {
  const Tensor P = table(7, 6);
  for (Size p = 0; p < 7; ++p) {
    for (Size i = 0; i < 3; ++i) {
      const double angle = static_cast<double>(p) / std::pow(10000, 2 * static_cast<double>(i) / 6);
      check_close(P.at({p, 2 * i}), std::sin(angle), 1e-15);
      check_close(P.at({p, 2 * i + 1}), std::cos(angle), 1e-15);
    }
  }
}

TEST_CASE("any width from 1 on has its positions, an odd one ending with a sine (O-30)") {
  check_close(table(2, 5), {2, 5}, {0, 1, 0, 1, 0, 0.84147098, 0.54030231, 0.02511622, 0.99968454, 0.00063096}, 5e-9);
  check_close(table(3, 1), {3, 1}, {0, std::sin(1.0), std::sin(2.0)}, 1e-15);
  check_close(table(1, 2, 1), {1, 2}, {std::sin(1.0), std::cos(1.0)}, 1e-15);
  check_close(table(1, 3, 1), {1, 3}, {std::sin(1.0), std::cos(1.0), std::sin(std::pow(10000, -2.0 / 3))}, 1e-15);
  CHECK(table(0, 4).shape() == Shape{0, 4});
}

TEST_CASE("a shift by k positions is one linear map, a turn of every pair, whatever the position") {
  const Size width = 8, T = 40, k = 7;
  const Tensor P = table(T + k, width);
  for (Size p = 0; p < T; ++p) {
    for (Size i = 0; i < width / 2; ++i) {
      const double turn = static_cast<double>(k) / std::pow(10000, 2 * static_cast<double>(i) / width);
      const double s = P.at({p, 2 * i}), c = P.at({p, 2 * i + 1});
      check_close(P.at({p + k, 2 * i}), s * std::cos(turn) + c * std::sin(turn), 3e-14);
      check_close(P.at({p + k, 2 * i + 1}), c * std::cos(turn) - s * std::sin(turn), 3e-14);
    }
  }
}

TEST_CASE("all positions have the length √(width / 2), and their products depend on the distance only, not its sign") {
  const Var P(table(30, 8));
  check_close(norm(P, {1}), {30}, std::vector<double>(30, 2), 2e-15);
  const Tensor gram = matmul(P, transpose(P)).value();
  for (Size i = 0; i < 30; ++i) {
    for (Size j = 0; j < 30; ++j) {
      const Size distance = i < j ? j - i : i - j;
      check_close(gram.at({i, j}), gram.at({0, distance}), 2e-14);
    }
  }
}

TEST_CASE("positions that begin later are the later rows, in every dtype") {
  check_agree(Var(table(4, 6, 3)), Var(slice(table(7, 6), 0, 3, 4)), 0);
  CHECK(sinusoidal_positions(2, 3).dtype() == DType::float32);
  check_agree(Var(sinusoidal_positions(20, 6)), Var(table(20, 6)), 1e-7);
  const Tensor x = random({2, 4, 6});
  check_agree(add_sinusoidal_positions(Var(x), 3), Var(x) + Var(table(4, 6, 3)), 0);
}

TEST_CASE("learned positions add the rows of their table, from any first one on") {
  Rng rng(1);
  const LearnedPositions layer = cast(LearnedPositions(6, 3, rng), DType::float64);
  const Tensor x = random({2, 4, 3}, DType::float64, 5);
  for (Size first : {0, 1, 2}) {
    const Var y = layer(Var(x), first);
    for (Size b = 0; b < 2; ++b) {
      for (Size t = 0; t < 4; ++t) {
        for (Size c = 0; c < 3; ++c) {
          check_close(y.value().at({b, t, c}), x.at({b, t, c}) + layer.table.value().at({first + t, c}), 0);
        }
      }
    }
  }
}

TEST_CASE("positions past a learned table, other widths and widths of nothing throw with both numbers") {
  Rng rng(1);
  const LearnedPositions layer(6, 3, rng);
  const Var x(random({2, 4, 3}, DType::float32));
  check_throws_with([&] { layer(x, 3); }, {"learned positions: ", "[2, 4, 3]", "position 3", "[6, 3]"});
  check_throws_with([&] { layer(x, -1); }, {"learned positions: ", "position -1"});
  check_throws_with([&] { layer(Var(random({2, 7, 3}))); }, {"learned positions: ", "[2, 7, 3]", "[6, 3]"});
  check_throws_with([&] { layer(Var(random({2, 4, 1}))); }, {"learned positions: ", "[2, 4, 1]", "[6, 3]"});
  check_throws_with([&] { layer(Var(random({4, 3}))); }, {"learned positions: ", "[4, 3]"});
  check_throws_with([] { table(2, 0); }, {"sinusoidal positions: ", "2 positions", "width 0"});
  check_throws_with([] { table(-1, 2); }, {"sinusoidal positions: ", "-1 positions"});
}

TEST_CASE("tables of nothing, bases that have no powers and tables of integers are refused") {
  Rng rng(1);
  check_throws_with([&] { LearnedPositions(0, 4, rng); }, {"learned positions: ", "0 positions", "width 4"});
  check_throws_with([&] { LearnedPositions(4, -1, rng); }, {"learned positions: ", "4 positions", "width -1"});
  for (double base : {0.0, -3.0, std::nan("")}) {
    check_throws_with([&] { sinusoidal_positions(2, 4, 0, base); }, {"sinusoidal positions: ", "base", "width 4"});
  }
  check_throws_with([] { sinusoidal_positions(2, 4, 0, 10000, DType::int64); }, {"sinusoidal positions: ", "int64"});
}

TEST_CASE("the last position that there is does not run over") {
  const Size last = std::numeric_limits<Size>::max();
  Rng rng(1);
  const LearnedPositions layer(6, 3, rng);
  check_throws_with([&] { layer(Var(random({2, 4, 3}, DType::float32)), last); }, {"learned positions: ", "[6, 3]"});
  check_throws_with([&] { sinusoidal_positions(2, 4, last); }, {"sinusoidal positions: ", std::to_string(last)});
  CHECK(sinusoidal_positions(1, 4, last - 1).shape() == Shape{1, 4});
}
