#include "nn/embedding.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/nn/layers.hpp"

using namespace attend;
using namespace attend::test;

namespace {

Embedding by_hand() {
  Rng rng(1);
  Embedding layer(3, 2, rng);
  layer.table = Var::parameter(numbers({1, 2, 3, 4, 5, 6}, {3, 2}));
  return layer;
}

}  // namespace

TEST_CASE("an embedding looks up a row for every id") {
  const Embedding layer = by_hand();
  check_close(layer(Tensor::from_ints({2, 0, 2, 1}, {2, 2})), {2, 2, 2}, {5, 6, 1, 2, 5, 6, 3, 4}, 0);
  check_close(layer(Tensor::from_ints({1}, {})), {2}, {3, 4}, 0);
  check_close(layer(Tensor::from_ints({}, {0})), {0, 2}, {}, 0);
}

TEST_CASE("a row that is looked up twice gets both derivatives, one that is not gets none") {
  const Embedding layer = by_hand();
  const Var rows = layer(Tensor::from_ints({0, 0, 2}, {3}));
  const Vars gradients = grad(rows, {layer.table}, Var(numbers({0.25, 1, 0.5, 2, 4, 8}, {3, 2})));
  check_close(gradients[0], {3, 2}, {0.75, 3, 0, 0, 4, 8}, 0);
}

TEST_CASE("an embedding begins with vectors of length about 1") {
  Rng rng(4);
  const std::vector<double> table = Embedding(200, 50, rng).table.value().to_vector();
  double squares = 0;
  for (double value : table) squares += value * value;
  CHECK(std::fabs(squares / 200 - 1) < 0.05);
}

TEST_CASE("an embedding refuses an id that it has no row for, and ids that are no integers") {
  const Embedding layer = by_hand();
  check_throws_with([&] { layer(Tensor::from_ints({0, 3}, {2})); }, {"embedding: ", "3", "0 .. 2"});
  check_throws_with([&] { layer(Tensor::from_ints({-1}, {1})); }, {"embedding: ", "-1", "0 .. 2"});
  check_throws_with([&] { layer(numbers({1}, {1})); }, {"embedding: ", "int64", "float64"});
}

TEST_CASE("an embedding of no symbols, or in vectors of nothing, is refused") {
  Rng rng(1);
  const Rng before = rng;
  check_throws_with([&] { Embedding(0, 3, rng); }, {"embedding: ", "0 symbols", "size 3"});
  check_throws_with([&] { Embedding(3, 0, rng); }, {"embedding: ", "3 symbols", "size 0"});
  check_throws_with([&] { Embedding(-1, 3, rng); }, {"embedding: ", "-1 symbols"});
  CHECK(rng == before);
}
