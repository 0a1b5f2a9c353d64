#include "nn/attention/shared_query_key.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/nn/layers.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr Size B = 2, H = 3, T = 6, d = 4, dv = 5;

// The paper's formula, one query after the other: [B, H, T, dv].
std::vector<double> by_loops(const Tensor& q, const Tensor& v, const std::function<bool(Size b, Size i, Size j)>& may) {
  std::vector<double> context;
  for (Size b = 0; b < B; ++b) {
    for (Size h = 0; h < H; ++h) {
      for (Size i = 0; i < T; ++i) {
        std::vector<double> weight(T, 0);
        double total = 0;
        for (Size j = 0; j < T; ++j) {
          if (j == i || !may(b, i, j)) continue;
          double product = 0, square = 0;
          for (Size x = 0; x < d; ++x) {
            product += q.at({b, h, i, x}) * q.at({b, h, j, x});
            square += q.at({b, h, j, x}) * q.at({b, h, j, x});
          }
          weight[static_cast<std::size_t>(j)] = std::exp(product / std::sqrt(square) / std::sqrt(double(d)));
          total += weight[static_cast<std::size_t>(j)];
        }
        if (total == 0 && may(b, i, i)) weight[static_cast<std::size_t>(i)] = total = 1;
        for (Size x = 0; x < dv; ++x) {
          double sum = 0;
          for (Size j = 0; j < T; ++j) sum += weight[static_cast<std::size_t>(j)] * v.at({b, h, j, x});
          context.push_back(total == 0 ? 0 : sum / total);
        }
      }
    }
  }
  return context;
}

Tensor query() { return random({B, H, T, d}, DType::float64, 1); }
Tensor value() { return random({B, H, T, dv}, DType::float64, 2); }

}  // namespace

TEST_CASE("shared query-key attention is the formula in plain loops, causal too") {
  const SharedQueryKeyAttention attend;
  const Tensor q = query(), v = value();
  check_close(attend(q, q, v).context, {B, H, T, dv}, by_loops(q, v, [](Size, Size, Size) { return true; }), 1e-13);
  check_close(attend(q, q, v, causal_mask(T, T)).context, {B, H, T, dv},
              by_loops(q, v, [](Size, Size i, Size j) { return j <= i; }), 1e-13);
}

TEST_CASE("shared query-key attention sees no padding: its queries there count as 0") {
  const Tensor q = query(), v = value();
  const std::vector<Size> lengths = {4, 1};
  const Tensor there = reshape(padding_mask(lengths, T).visible_keys(), {B, 1, T, 1});
  const Tensor nan = Tensor::full({}, std::numeric_limits<double>::quiet_NaN(), DType::float64);
  const Var hidden = where(there, q, Tensor::zeros({}, DType::float64));
  const auto expected =
      by_loops(hidden.value(), v, [&](Size b, Size, Size j) { return j < lengths[static_cast<std::size_t>(b)]; });
  const Var found =
      SharedQueryKeyAttention()(where(there, q, nan), q, where(there, v, nan), padding_mask(lengths, T)).context;
  check_close(found, {B, H, T, dv}, expected, 1e-13);
}

TEST_CASE("a position attends to itself only where there is nothing else, and to nothing where it may not") {
  const Tensor q = query(), v = value();
  const auto row = [](const Var& x, Size i) { return slice(x, 2, i, 1); };
  const Attended all = SharedQueryKeyAttention()(q, q, v);
  for (Size i = 0; i < T; ++i) CHECK(all.weights.value().at({1, 2, i, i}) == 0);
  const Attended causal = SharedQueryKeyAttention()(q, q, v, causal_mask(T, T));
  CHECK(causal.weights.value().at({1, 2, 0, 0}) == 1);
  CHECK(causal.weights.value().at({1, 2, 1, 0}) == 1);
  const Attended only = SharedQueryKeyAttention()(q, q, v, band_mask(T, T, 0, 0));
  CHECK(same_bits(only.context, Var(v)));
  const Mask nothing(Tensor::zeros({T, T}, DType::boolean));
  CHECK(same_bits(SharedQueryKeyAttention()(q, q, v, nothing).context, Var(Tensor::zeros(v.shape(), DType::float64))));
  CHECK(same_bits(row(causal.context, 0), row(v, 0)));
}

TEST_CASE("keys made of queries have the length 1, and a query of 0 has the key 0 and finite derivatives") {
  const Var q = Var::parameter(Tensor::from({3, 4, 0, 0}, {2, 2}, DType::float64));
  const Var key = unit_length(q);
  check_close(key, {2, 2}, {0.6, 0.8, 0, 0}, 1e-15);
  const Var first = grad(key, {q}, Var(Tensor::from({1, 2, 3, 4}, {2, 2}, DType::float64)), true)[0];
  check_close(first, {2, 2}, {-0.064, 0.048, 3, 4}, 1e-15);
  check_close(grad(sum(slice(first, 0, 1, 1)), {q})[0], {2, 2}, {0, 0, 0, 0}, 0);
}

TEST_CASE("shared query-key attention is no sharper than the length of its queries allows") {
  const Tensor q = query(), v = value();
  // At 1e6 times the length each query sees its nearest key alone.
  const Tensor weights = SharedQueryKeyAttention()(1e6 * Var(q), q, v).weights.value();
  const Tensor products = matmul(Var(q), transpose(unit_length(q))).value();
  for (Size i = 0; i < T; ++i) {
    Size best = i == 0 ? 1 : 0;
    for (Size j = 0; j < T; ++j) {
      if (j != i && products.at({0, 0, i, j}) > products.at({0, 0, i, best})) best = j;
    }
    CHECK(weights.at({0, 0, i, best}) > 1 - 1e-12);
  }
}

TEST_CASE("shared query-key attention refuses heads and masks that do not fit") {
  const Var x = random({1, 1, 4, 3});
  check_throws_with(
      [&] {
        SharedQueryKeyAttention()(x, random({1, 1, 4, 2}), x);
      },
      {"shared query-key attention", "[1, 1, 4, 3]", "[1, 1, 4, 2]"});
  check_throws_with([&] { SharedQueryKeyAttention()(x, x, x, causal_mask(3, 3)); }, {"mask", "[1, 1, 3, 3]"});
}
