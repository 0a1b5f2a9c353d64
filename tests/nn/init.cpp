#include "nn/init.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "autograd/ops.hpp"
#include "tests/nn/layers.hpp"

using namespace attend;
using namespace attend::test;

namespace {

struct Moments {
  double mean = 0, variance = 0, kurtosis = 0, largest = 0;  // kurtosis: 3 of a normal, 1.8 of a uniform distribution
};

Moments moments(const Var& x) {
  Moments found;
  const std::vector<double> values = x.value().to_vector();
  const auto n = static_cast<double>(values.size());
  for (double value : values) found.mean += value / n;
  for (double value : values) {
    found.variance += std::pow(value - found.mean, 2) / n;
    found.kurtosis += std::pow(value - found.mean, 4) / n;
    found.largest = std::max(found.largest, std::fabs(value));
  }
  found.kurtosis /= found.variance * found.variance;
  return found;
}

// 60,000 numbers: the variance is known within 0.6 %, of which five deviations are allowed.
void check_moments(const Var& x, double variance, double kurtosis) {
  const Moments found = moments(x);
  check_close(found.mean, 0, 5 * std::sqrt(variance / 60000));
  check_close(found.variance, variance, 0, 0.03);
  check_close(found.kurtosis, kurtosis, 0.1);
  if (kurtosis < 2) CHECK(found.largest <= std::sqrt(3 * variance) * (1 + 1e-6));
}

}  // namespace

TEST_CASE("the initialisations have the variance that they are named for, and their distribution") {
  Rng rng(1);
  check_moments(xavier_uniform(300, 200, rng), 2.0 / 500, 1.8);
  check_moments(xavier_normal(300, 200, rng), 2.0 / 500, 3);
  check_moments(kaiming_uniform(300, 200, rng), 2.0 / 300, 1.8);
  check_moments(kaiming_normal(300, 200, rng), 2.0 / 300, 3);
  check_moments(uniform_init({300, 200}, -2, 2, rng), 4.0 / 3, 1.8);
  check_moments(normal_init({300, 200}, 0, 0.5, rng), 0.25, 3);
  check_close(moments(normal_init({300, 200}, 7, 0.5, rng)).mean, 7, 0.02);
  check_close(moments(uniform_init({300, 200}, 1, 2, rng)).mean, 1.5, 0.01);
}

TEST_CASE(
    "a relu layer with Kaiming weights keeps the second moment, one with Xavier weights and no relu the variance") {
  Rng rng(2);
  const Var x(rng.normal({100, 400}, 0, 1));
  const Var kaiming = relu(matmul(x, kaiming_normal(400, 400, rng)));
  check_close(mean(kaiming * kaiming).item(), 1, 0.05);
  check_close(moments(matmul(x, xavier_normal(400, 400, rng))).variance, 1, 0.05);
}

TEST_CASE("an initial value is a float32 leaf of shape [in, out]") {
  Rng rng(3);
  for (const Var& w : {xavier_uniform(3, 5, rng), xavier_normal(3, 5, rng), kaiming_uniform(3, 5, rng),
                       kaiming_normal(3, 5, rng), orthogonal(3, 5, rng)}) {
    CHECK(w.shape() == Shape{3, 5});
    CHECK(w.dtype() == DType::float32);
    CHECK(w.needs_grad());
    CHECK(w.value().contiguous());
  }
}

TEST_CASE("an orthogonal matrix has orthonormal columns, or rows where there are fewer") {
  Rng rng(4);
  for (const auto& [in, out] : {std::pair<Size, Size>{5, 3}, {3, 5}, {4, 4}, {1, 1}, {7, 1}}) {
    const Var q = orthogonal(in, out, rng), square = in < out ? matmul(q, transpose(q)) : matmul(transpose(q), q);
    const Size n = std::min(in, out);
    check_agree(square, Var(one_hot(Tensor::arange(n), n)), 5e-7);
  }
}

TEST_CASE("orthogonal matrices are uniformly distributed: no entry prefers a sign") {
  Rng rng(5);
  const int draws = 2000;
  double mean[3][3] = {}, wide = 0, square[3][3] = {};
  for (int draw = 0; draw < draws; ++draw) {
    const Tensor q = orthogonal(3, 3, rng).value();
    for (Size i = 0; i < 3; ++i) {
      for (Size j = 0; j < 3; ++j) {
        mean[i][j] += q.at({i, j}) / draws;
        square[i][j] += q.at({i, j}) * q.at({i, j}) / draws;
      }
    }
    wide += orthogonal(2, 4, rng).value().at({0, 0}) / draws;
  }
  // LAPACK's Q alone has Q[0, 0] < 0 at every draw, a mean of -0.5 here. A mean of 2,000 has a deviation of 0.013.
  for (const auto& row : mean) {
    for (double each : row) CHECK(std::fabs(each) < 0.06);
  }
  for (const auto& row : square) {
    for (double each : row) CHECK(std::fabs(each - 1.0 / 3) < 0.04);
  }
  CHECK(std::fabs(wide) < 0.06);
}

TEST_CASE("the same seed gives the same initial values, and one draw follows another") {
  Rng rng(6), same(6);
  const Var first = xavier_uniform(3, 4, rng), second = xavier_uniform(3, 4, rng);
  CHECK(same_bits(first, xavier_uniform(3, 4, same)));
  CHECK_FALSE(same_bits(first, second));
  CHECK(same_bits(orthogonal(3, 4, rng), [&] {
    xavier_uniform(3, 4, same);
    return orthogonal(3, 4, same);
  }()));
}

TEST_CASE("sizes that are none are refused") {
  Rng rng(7);
  check_throws_with([&] { xavier_uniform(0, 3, rng); }, {"xavier_uniform: ", "0", "3"});
  check_throws_with([&] { xavier_normal(3, 0, rng); }, {"xavier_normal: ", "3", "0"});
  check_throws_with([&] { kaiming_uniform(-1, 3, rng); }, {"kaiming_uniform: ", "-1", "3"});
  check_throws_with([&] { kaiming_normal(0, 3, rng); }, {"kaiming_normal: ", "0", "3"});
  check_throws_with([&] { orthogonal(3, -2, rng); }, {"orthogonal: ", "3", "-2"});
}
