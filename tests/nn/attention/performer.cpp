#include "nn/attention/performer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>

#include "nn/attention/feature_sums.hpp"
#include "tensor/kernels.hpp"
#include "tests/nn/layer_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

const std::vector<SoftmaxFeatures> kinds = {SoftmaxFeatures::positive, SoftmaxFeatures::hyperbolic,
                                            SoftmaxFeatures::trigonometric};

struct Statistics {
  double mean, standard_error, mean_square_error;
};

// φ(x) · φ(y) over many draws of m directions, against exp(x · y).
Statistics estimates(const Tensor& x, const Tensor& y, Size m, SoftmaxFeatures kind, Size draws, double truth) {
  Rng rng(11);
  const double count = static_cast<double>(draws);
  double total = 0, squares = 0, errors = 0;
  for (Size draw = 0; draw < draws; ++draw) {
    const Var w = orthogonal_directions(m, x.shape()[0], rng);
    const double estimate = sum(softmax_features(x, w, kind) * softmax_features(y, w, kind)).item();
    total += estimate;
    squares += estimate * estimate;
    errors += (estimate - truth) * (estimate - truth);
  }
  const double mean = total / count;
  return {mean, std::sqrt((squares / count - mean * mean) / count), errors / count};
}

double square(const Tensor& x) { return sum(Var(x) * Var(x)).item(); }

// The mean square error for m independent directions: lemma 2 of the paper.
double theory(const Tensor& x, const Tensor& y, Size m, SoftmaxFeatures kind) {
  const double plus = square(kernel::add(x, y)), minus = square(kernel::sub(x, y));
  const double truth = std::exp(sum(Var(x) * Var(y)).item());
  const double one = 1 / static_cast<double>(m);
  const double positive = one * std::exp(plus) * truth * truth * (1 - std::exp(-plus));
  if (kind == SoftmaxFeatures::positive) return positive;
  if (kind == SoftmaxFeatures::hyperbolic) return 0.5 * (1 - std::exp(-plus)) * positive;
  return 0.5 * one * std::exp(plus) / (truth * truth) * std::pow(1 - std::exp(-minus), 2);
}

// The slope of log error over log m.
double slope(const std::vector<PerformerError>& rows) {
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const PerformerError& row : rows) {
    const double u = std::log(static_cast<double>(row.directions)), v = std::log(row.error);
    x += u, y += v, xx += u * u, xy += u * v;
  }
  const double n = static_cast<double>(rows.size());
  return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace

TEST_CASE("softmax features are unbiased, in the direction in which an uncorrected QR decomposition shows most") {
  for (Size d : {8, 16}) {
    for (double side : {0.7, -0.7}) {
      const Tensor x = Tensor::full({d}, side / std::sqrt(static_cast<double>(d)), DType::float64);
      for (SoftmaxFeatures kind : kinds) {
        CAPTURE(d);
        CAPTURE(side);
        CAPTURE(static_cast<int>(kind));
        // Trigonometric features are exact for x = y, which would prove nothing.
        const Tensor y = kind == SoftmaxFeatures::trigonometric ? kernel::affine(x, -1, 0) : x;
        const double truth = std::exp(sum(Var(x) * Var(y)).item());
        const Statistics found = estimates(x, y, d, kind, 4000, truth);
        std::printf("  d %2d, side %4.1f, kind %d: %.4f of the truth, standard error %.4f\n", static_cast<int>(d), side,
                    static_cast<int>(kind), found.mean / truth, found.standard_error / truth);
        CHECK(std::abs(found.mean - truth) < 4 * found.standard_error);
      }
    }
  }
}

TEST_CASE("the mean square errors are those of the paper, and orthogonal directions lower them") {
  constexpr Size d = 8;
  const Tensor x = Tensor::full({d}, 0.1, DType::float64);
  const Tensor y = numbers({0.3, -0.2, 0.1, 0.25, -0.1, 0.2, 0, 0.15}, {d});
  const double truth = std::exp(sum(Var(x) * Var(y)).item());
  for (SoftmaxFeatures kind : kinds) {
    CAPTURE(static_cast<int>(kind));
    // A single direction is independent of all others.
    const double one = estimates(x, y, 1, kind, 20000, truth).mean_square_error / theory(x, y, 1, kind);
    const double orthogonal = estimates(x, y, d, kind, 4000, truth).mean_square_error / theory(x, y, d, kind);
    std::printf("  kind %d: %.3f of the formula, orthogonal %.3f\n", static_cast<int>(kind), one, orthogonal);
    CHECK(std::abs(one - 1) < 0.15);
    CHECK(orthogonal < 0.95);
  }
}

TEST_CASE("directions are orthogonal within a block, as long as normal vectors, and of either sign alike") {
  constexpr Size d = 6, m = 15, draws = 2000;
  Rng rng(3);
  double positive = 0, squares = 0;
  for (Size draw = 0; draw < draws; ++draw) {
    const Tensor w = orthogonal_directions(m, d, rng);
    for (Size i = 0; i < d; ++i) positive += w.at({i, i}) > 0 ? 1 : 0;
    squares += square(w);
  }
  // Standard errors: of a frequency ½ over d · draws, and of a chi-square variable of m · d degrees over the draws.
  CHECK(std::abs(positive / (d * draws) - 0.5) < 4 * 0.5 / std::sqrt(static_cast<double>(d * draws)));
  CHECK(std::abs(squares / (m * d * draws) - 1) < 4 * std::sqrt(2.0 / static_cast<double>(m * d * draws)));

  const Tensor w = orthogonal_directions(m, d, rng);
  CHECK(w.shape() == Shape{m, d});
  const Tensor products = kernel::matmul(w, transpose(w));
  for (Size i = 0; i < m; ++i) {
    for (Size j = 0; j < i; ++j) {
      if (i / d == j / d) check_close(products.at({i, j}), 0, 1e-13);
    }
  }
}

TEST_CASE("a Performer comes closer to softmax attention as 1/sqrt(m) for small queries and keys, and not for large") {
  Rng rng(2);
  const std::vector<Size> directions = {16, 64, 256, 1024};
  const std::vector<PerformerError> rows = performer_errors({0.25, 0.5, 1}, directions, 8, rng);
  for (const PerformerError& row : rows) {
    std::printf("  deviation %.2f, %4d directions: error %.3f\n", row.deviation, static_cast<int>(row.directions),
                row.error);
  }
  CHECK(std::abs(slope({rows.begin(), rows.begin() + 4}) + 0.5) < 0.1);
  CHECK(rows[3].error < 0.05);
  CHECK(rows.back().error > 0.4);  // deviation 1, 1024 directions
}

TEST_CASE("a Performer is its features' weighted mean for any chunk, and has derivatives to order 2 in every kind") {
  constexpr Size T = 7, d = 4;
  Rng inputs(1);  // small, because the sums of trigonometric features of large ones come near 0
  const Tensor q = inputs.normal({2, 3, T, d}, 0, 0.5, DType::float64),
               k = inputs.normal({2, 3, T, d}, 0, 0.5, DType::float64),
               v = inputs.normal({2, 3, T, 5}, 0, 1, DType::float64);
  std::vector<LayerRow> rows;
  for (SoftmaxFeatures kind : kinds) {
    for (Size chunk : {1, 3, 64}) {
      Rng rng(4);
      const Performer layer = cast(Performer(d, 9, rng, kind, chunk), DType::float64);
      check_agree(layer(q, k, v, causal_mask(T, T)).context,
                  sums_by_pairs(layer.features(q), layer.features(k), v, true), 1e-12);
      if (chunk != 3) continue;
      rows.push_back(layer_row("performer " + std::to_string(static_cast<int>(kind)), layer, {q, k, v},
                               [](const Performer& performer, const Vars& xs) {
                                 return performer(xs[0], xs[1], xs[2], causal_mask(T, T)).context;
                               }));
    }
  }
  check_derivatives(rows);
}

TEST_CASE("a sequence of large keys and one of small ones leave each other as they are, in float32 too") {
  constexpr Size T = 5, d = 4;
  Rng rng(4);
  const Performer layer(d, 9, rng);
  const Tensor x = random({1, 1, T, d}, DType::float32, 1), v = random({1, 1, T, 3}, DType::float32, 2);
  const Tensor large = kernel::affine(x, 30, 0);
  const auto both = [](const Tensor& a, const Tensor& b) { return kernel::concat({a, b}, 0); };
  const Var together = layer(both(x, x), both(x, large), both(v, v)).context;
  check_agree(slice(together, 0, 0, 1), layer(x, x, v).context, 1e-6);
  check_agree(slice(together, 0, 1, 1), layer(x, large, v).context, 1e-6);
}

TEST_CASE("redraw gives other directions, as many, from the Rng alone") {
  Rng rng(4), again(9), same(9);
  Performer layer(4, 10, rng), twin = layer;
  const Tensor before = layer.directions;
  layer.redraw(again);
  twin.redraw(same);
  CHECK(layer.directions.shape() == before.shape());
  CHECK_FALSE(same_bits(Var(layer.directions), Var(before)));
  CHECK(same_bits(Var(layer.directions), Var(twin.directions)));
}

TEST_CASE("a Performer refuses what does not fit before it draws") {
  Rng rng(1), untouched(1);
  check_throws_with([&] { Performer(0, 4, rng); }, {"performer", "4 directions of width 0"});
  check_throws_with([&] { Performer(4, 0, rng); }, {"performer", "0 directions"});
  check_throws_with([&] { Performer(4, 4, rng, SoftmaxFeatures::positive, 0); }, {"performer", "chunks of 0"});
  check_throws_with([&] { orthogonal_directions(0, 3, rng); }, {"performer", "0 directions"});
  CHECK(rng == untouched);
  const Performer layer(4, 6, rng);
  const Var x = random({1, 1, 5, 3}), y = random({1, 1, 5, 4});
  check_throws_with([&] { layer(x, x, x); }, {"performer", "[1, 1, 5, 3]", "[6, 4]"});
  check_throws_with([&] { layer(y, y, y, band_mask(5, 5, 1, 1)); }, {"performer", "causal_mask and padding_mask"});
}
