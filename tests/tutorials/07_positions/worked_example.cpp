// The numbers that the page of chapter 07 works out on paper, and what can be said of positions without training.
#include <doctest/doctest.h>

#include <cmath>

#include "nn/position/rotary.hpp"
#include "nn/position/sinusoidal.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tests/tutorials/on_page.hpp"
#include "tutorials/07_positions/geometry.hpp"
#include "tutorials/lesson/data.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter07;
using namespace attend::test;

namespace {

const OnPage on_page("07_positions");

std::string row(const std::string& name, const std::vector<double>& values) {
  std::string text = "| " + name + " |";
  for (double x : values) text += " " + lesson::fixed(x, 4) + " |";
  return text;
}

Tensor sinusoids(Size T, Size width) { return sinusoidal_positions(T, width, 0, 10000, DType::float64); }

}  // namespace

TEST_CASE("the page shows four positions of width 4, and their products with position 1") {
  const Tensor P = sinusoids(4, 4);
  const Tensor products = matmul(Var(P), transpose(Var(P))).value();
  for (Size p = 0; p < 4; ++p) {
    std::vector<double> cells = slice(P, 0, p, 1).to_vector();
    cells.push_back(products.at({1, p}));
    CAPTURE(row("p = " + std::to_string(p), cells));
    CHECK(on_page(row("p = " + std::to_string(p), cells)));
  }
  check_close(products.at({1, 2}), std::cos(1) + std::cos(0.01), 1e-15);
}

TEST_CASE("the first two of the page's sixteen hands go round in six and eleven positions, the last in over 30,000") {
  const Tensor P = sinusoids(2, 32);
  const auto round = [&](Size hand) { return 2 * M_PI / std::atan2(P.at({1, 2 * hand}), P.at({1, 2 * hand + 1})); };
  check_close(round(0), 6, 0.5);
  check_close(round(1), 11, 0.5);
  CHECK(round(15) > 30000);
}

TEST_CASE("the page shows the weights of the rotary example: softmax of cos(p − s) / √2") {
  const Var x(numbers({1, 0, 1, 0, 1, 0}, {1, 3, 2}));
  const Tensor weights = softmax(matmul(rotary(x), transpose(rotary(x))) / std::sqrt(2.0)).value();
  const double one = std::exp(std::cos(1) / std::sqrt(2.0)), own = std::exp(1 / std::sqrt(2.0)), total = own + 2 * one;
  check_close(Var(slice(weights, 1, 1, 1)), {1, 1, 3}, {one / total, own / total, one / total}, 1e-15);
  for (Size p = 0; p < 3; ++p) {
    const std::string line = row("p = " + std::to_string(p), slice(weights, 1, p, 1).to_vector());
    CAPTURE(line);
    CHECK(on_page(line));
  }
}

TEST_CASE("the shift map of 0 positions is the identity, and two shifts are one") {
  check_close(Var(shift_map(0, 4)), {4, 4}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, 0);
  check_agree(matmul(Var(shift_map(3, 6)), Var(shift_map(5, 6))), Var(shift_map(8, 6)), 1e-14);
}

TEST_CASE("the shift map takes every position to the one k further") {
  CHECK(shift_residual(5, 40, 10) < 1e-13);
  CHECK(shift_residual(500, 40, 10) < 1e-12);
}

TEST_CASE("turns are the cosines and sines by which rotary turns") {
  const Turns turn = turns(5, 6);
  const Tensor x = random({5, 6});
  const Var even = slice(Var(x), 1, 0, 3, 2), odd = slice(Var(x), 1, 1, 3, 2), turned = rotary(Var(x));
  check_agree(slice(turned, 1, 0, 3, 2), even * turn.cosine - odd * turn.sine, 1e-15);
  check_agree(slice(turned, 1, 1, 3, 2), even * turn.sine + odd * turn.cosine, 1e-15);
}

TEST_CASE("a turned product is the same wherever the two stand; with sinusoids added it is not") {
  const Tensor q = random({8}, DType::float64, 1), k = random({8}, DType::float64, 2);
  const lesson::Spread turned = product_at(Meeting::turned, q, k, 3, 10, 20);
  const lesson::Spread added = product_at(Meeting::added, q, k, 3, 10, 20);
  CHECK(turned.high - turned.low < 1e-14);
  CHECK(added.high - added.low > 0.1);
  CHECK(added.low < added.mean);
  const Tensor pair = random({1, 8}, DType::float64, 1), other = random({1, 8}, DType::float64, 2);
  check_close(turned.mean, sum(rotary(pair, 7) * rotary(other, 4)).item() / std::sqrt(8.0), 1e-14);
}

TEST_CASE("the spread by distance is 0 for equal diagonals and finds a single product that differs") {
  CHECK(spread_by_distance(numbers({1, 2, 3, 4, 1, 2, 5, 4, 1}, {3, 3}), {1, 1, 3}) == 0);
  check_close(spread_by_distance(numbers({1, 2, 3, 4, 1, 2.5, 5, 4, 1}, {3, 3}), {1, 1, 3}), 0.5, 1e-15);
}

TEST_CASE("in two dimensions the spread tells a step to the right from a jump to the next line") {
  // Cells 0 1 / 2 3: 0 -> 1 and 2 -> 3 are one distance, 1 -> 2 is another.
  const Tensor products = numbers({0, 1, 0, 0, 0, 0, 9, 0, 0, 0, 0, 1, 0, 0, 0, 0}, {4, 4});
  CHECK(spread_by_distance(products, {1, 2, 2}) == 0);
  CHECK(spread_by_distance(products, {1, 1, 4}) == 8);
}

TEST_CASE("the picture of the sinusoids has a row for each position") {
  const lesson::HeatMap map = sinusoid_map(5, 6);
  CHECK(map.values.rows() == 5);
  CHECK(map.values.columns() == 6);
  CHECK(map.values(2, 0) == std::sin(2.0));
}
