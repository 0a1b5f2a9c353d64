#include "nn/attention/adaptive_span.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/nn/layer_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

AdaptiveSpan spans(const std::vector<double>& z, double ramp, Size largest) {
  AdaptiveSpan layer(static_cast<Size>(z.size()), largest, ramp);
  layer.span = Var::parameter(numbers(z, {static_cast<Size>(z.size())}));
  return layer;
}

double product(const Tensor& q, const Tensor& k, Size b, Size h, Size i, Size j) {
  double total = 0;
  for (Size c = 0; c < q.shape()[3]; ++c) total += q.at({b, h, i, c}) * k.at({b, h, j, c});
  return total / std::sqrt(static_cast<double>(q.shape()[3]));
}

// The formula of the paper in plain loops; key j is there when j < length.
double oracle(const Tensor& q, const Tensor& k, const Tensor& v, const Sizes& at, double z, const AdaptiveSpan& layer,
              bool causal, Size length) {
  double sum = 0, total = 0;
  for (Size j = 0; j < length; ++j) {
    const Size x = std::abs(at[2] - j);
    if (x > layer.largest || (causal && j > at[2])) continue;
    const double m = std::clamp((layer.ramp + z - static_cast<double>(x)) / layer.ramp, 0.0, 1.0);
    const double weight = m * std::exp(product(q, k, at[0], at[1], at[2], j));
    total += weight;
    sum += weight * v.at({at[0], at[1], j, at[3]});
  }
  return total > 0 ? sum / total : 0;
}

}  // namespace

TEST_CASE("adaptive span is the paper's formula in plain loops, each head with its own z") {
  const std::vector<double> z = {0, 1.3, 4};
  for (Size T : {1, 2, 7, 13}) {
    for (bool causal : {false, true}) {
      CAPTURE(T);
      CAPTURE(causal);
      const Tensor q = random({2, 3, T, 4}), k = random({2, 3, T, 4}, DType::float64, 2),
                   v = random({2, 3, T, 2}, DType::float64, 3);
      const AdaptiveSpan layer = spans(z, 2.5, 4);
      const std::vector<Size> lengths = {T / 2, T};
      const Mask padded = padding_mask(lengths, T), mask = causal ? padded & causal_mask(T, T) : padded;
      const Tensor y = layer(q, k, v, mask).context.value();
      std::vector<double> expected;
      for (Size b = 0; b < 2; ++b) {
        for (Size h = 0; h < 3; ++h) {
          for (Size i = 0; i < T * 2; ++i) {
            expected.push_back(oracle(q, k, v, {b, h, i / 2, i % 2}, z[h], layer, causal, lengths[b]));
          }
        }
      }
      check_close(y, {2, 3, T, 2}, expected, 1e-13);
    }
  }
}

TEST_CASE("adaptive span has derivatives to order 2 with a z for each head") {
  const std::vector<LayerRow> rows = {
      layer_row("AdaptiveSpan", spans({0.4, 2.3}, 2.5, 5), {random({1, 2, 7, 3}), random({1, 2, 7, 3})},
                [](const AdaptiveSpan& layer, const Vars& xs) { return layer(xs[0], xs[1], xs[1]).context; })};
  check_derivatives(rows);
  check_visits(rows);
}

TEST_CASE("the penalty is the mean span, and clamp_span puts a span back to where it has a derivative") {
  AdaptiveSpan layer = spans({-2, 1, 12}, 3, 6);
  check_close(layer.penalty(), {}, {11.0 / 3}, 1e-15);
  const Var x = random({1, 3, 9, 2});
  const Var before = layer(x, x, x).context;
  layer.clamp_span();
  check_close(layer.span, {3}, {0, 1, 6}, 0);
  check_agree(layer(x, x, x).context, before, 0);
}

TEST_CASE("a key that the ramp hides takes no part, however large its score") {
  const Var q = Var(numbers({1, 1, 1}, {1, 1, 3, 1})), k = Var(numbers({0, 0, 2000}, {1, 1, 3, 1}));
  const Var v = Var(numbers({1, 2, 3}, {1, 1, 3, 1}));
  check_close(select(spans({0}, 1, 2)(q, k, v).context, 2, 0), {1, 1, 1}, {1}, 0);
}

TEST_CASE("adaptive span refuses settings that mean nothing and heads that it has no span for") {
  check_throws_with([] { AdaptiveSpan(0, 4); }, {"adaptive span", "0 heads"});
  check_throws_with([] { AdaptiveSpan(1, 4, 0); }, {"adaptive span", "ramp of 0"});
  check_throws_with([] { AdaptiveSpan(1, -1); }, {"adaptive span", "0 .. -1"});
  check_throws_with([] { AdaptiveSpan(1, 4, 2, 5); }, {"adaptive span", "span of 5", "0 .. 4"});
  const Var x = random({1, 3, 4, 2});
  check_throws_with([&] { spans({1, 2}, 2, 4)(x, x, x); }, {"adaptive span", "2 spans", "[1, 3, 4, 2]"});
  check_throws_with([&] { spans({1}, 2, 4)(x, x, x, band_mask(4, 4, 1, 1)); }, {"adaptive span", "[1, 1, 4, 4]"});
}
