#include "nn/dropout.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/nn/layers.hpp"

using namespace attend;
using namespace attend::test;

namespace {

const Tensor ones = Tensor::ones({1000}, DType::float64);

}  // namespace

TEST_CASE("survivors of a dropout are divided by 1 - p, the others are 0") {
  Rng rng(1);
  const std::vector<double> y = dropout(Var(ones), 0.1, &rng).value().to_vector();
  int survivors = 0;
  for (double value : y) {
    CHECK((value == 0 || value == 1 / 0.9));
    survivors += value != 0;
  }
  CHECK(survivors > 870);  // 900 expected, with a deviation of 9.5
  CHECK(survivors < 930);
}

TEST_CASE("dropout keeps the element when the stream's next uniform number is below 1 - p") {
  Rng rng(7), same(7);
  const std::vector<double> y = dropout(Var(ones), 0.3, &rng).value().to_vector();
  for (double value : y) CHECK((value != 0) == (same.uniform() < 1 - 0.3));
}

TEST_CASE("the expectation of a dropout is x") {
  Rng rng(2);
  double total = 0;
  for (int draw = 0; draw < 100; ++draw) {
    for (double value : dropout(Var(ones), 0.5, &rng).value().to_vector()) total += value;
  }
  CHECK(std::fabs(total / 100000 - 1) < 0.013);  // four deviations
}

TEST_CASE("the derivative of a dropout uses the mask of its forward pass") {
  Rng rng(3);
  const Var x = Var::parameter(ones);
  const Var y = dropout(x, 0.5, &rng);
  const Vars gradients = grad(y, {x}, Var(ones));
  CHECK(same_bits(gradients[0], y));
}

TEST_CASE("dropout in evaluation, or with p = 0, is x itself, with its derivative, and draws nothing") {
  Rng rng(4);
  const Rng before = rng;
  const Var x = Var::parameter(random({2, 3}));
  const Tensor g = random({2, 3}, DType::float64, 2);
  for (const Var& y :
       {dropout(x, 0.5, evaluation), dropout(x, 0.5, evaluation), dropout(x, 1, evaluation), dropout(x, 0, &rng)}) {
    CHECK(same_bits(y, x));
    CHECK(same_bits(grad(y, {x}, Var(g))[0], Var(g)));
  }
  CHECK(rng == before);
}

TEST_CASE("dropout with p = 1 is 0, and so is its derivative") {
  Rng rng(5);
  const Var x = Var::parameter(random({2, 3}));
  const Var y = dropout(x, 1, &rng);
  const std::vector<double> zeros(6, 0);
  check_close(y, {2, 3}, zeros, 0);
  check_close(grad(y, {x}, Var(random({2, 3})))[0], {2, 3}, zeros, 0);
}

TEST_CASE("two dropouts from one stream differ, and the same seed gives the same") {
  Rng rng(6), again(6);
  const Var first = dropout(Var(ones), 0.5, &rng), second = dropout(Var(ones), 0.5, &rng);
  CHECK_FALSE(same_bits(first, second));
  CHECK(same_bits(first, dropout(Var(ones), 0.5, &again)));
}

TEST_CASE("dropout refuses a p that is no probability") {
  Rng rng(8);
  for (double p : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    check_throws_with([&] { dropout(Var(ones), p, &rng); }, {"dropout: ", "[1000]"});
    check_throws_with([&] { dropout(Var(ones), p, evaluation); }, {"dropout: ", "[1000]"});
  }
}

TEST_CASE("dropout of everything leaves nothing of an infinity or a NaN, nor of their derivatives") {
  Rng rng(9);
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const Var x = Var::parameter(Tensor::from({inf, -inf, nan, 2}, {4}, DType::float64));
  const Var y = dropout(x, 1, &rng);
  check_close(y, {4}, {0, 0, 0, 0}, 0);
  check_close(grad(sum(y), {x})[0], {4}, {0, 0, 0, 0}, 0);
}
