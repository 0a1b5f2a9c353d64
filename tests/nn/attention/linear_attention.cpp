#include "nn/attention/linear_attention.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tensor/kernels.hpp"
#include "tests/nn/layer_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr Size B = 2, H = 3, T = 11, d = 4, dv = 5;

Tensor query() { return random({B, H, T, d}, DType::float64, 1); }
Tensor key() { return random({B, H, T, d}, DType::float64, 2); }
Tensor value() { return random({B, H, T, dv}, DType::float64, 3); }

double phi(double x) { return x > 0 ? x + 1 : std::exp(x); }

// The formula in plain loops; sequence b has lengths[b] keys.
std::vector<double> by_hand(const Tensor& q, const Tensor& k, const Tensor& v, bool causal,
                            const std::vector<Size>& lengths) {
  std::vector<double> context;
  for (Size b = 0; b < B; ++b) {
    for (Size h = 0; h < H; ++h) {
      for (Size i = 0; i < T; ++i) {
        std::vector<double> sums(dv, 0.0);
        double total = 0;
        const Size last = causal ? std::min(i + 1, lengths[b]) : lengths[b];
        for (Size j = 0; j < last; ++j) {
          double weight = 0;
          for (Size c = 0; c < d; ++c) weight += phi(q.at({b, h, i, c})) * phi(k.at({b, h, j, c}));
          total += weight;
          for (Size c = 0; c < dv; ++c) sums[c] += weight * v.at({b, h, j, c});
        }
        for (double sum : sums) context.push_back(total == 0 ? 0 : sum / total);
      }
    }
  }
  return context;
}

}  // namespace

TEST_CASE("linear attention is its formula, for any chunk, with and without causality and padding") {
  const Tensor q = query(), k = key(), v = value();
  for (const std::vector<Size>& lengths : std::vector<std::vector<Size>>{{T, T}, {4, T}, {0, 1}}) {
    const Mask padded = padding_mask(lengths, T);
    for (Size chunk : {1, 3, 4, 10, 11, 100}) {
      CAPTURE(chunk);
      const LinearAttention layer(chunk);
      check_close(layer(q, k, v, padded).context, v.shape(), by_hand(q, k, v, false, lengths), 1e-13);
      check_close(layer(q, k, v, padded & causal_mask(T, T)).context, v.shape(), by_hand(q, k, v, true, lengths),
                  1e-13);
    }
  }
}

TEST_CASE("causal linear attention by chunks has derivatives that agree with difference quotients to order 2") {
  std::vector<LayerRow> rows;
  for (Size chunk : {1, 4}) {
    rows.push_back(layer_row("linear attention, chunks of " + std::to_string(chunk), LinearAttention(chunk),
                             {query(), key(), value()}, [](const LinearAttention& layer, const Vars& xs) {
                               return layer(xs[0], xs[1], xs[2], causal_mask(T, T)).context;
                             }));
  }
  check_derivatives(rows);
}

TEST_CASE("a small sum before a large key keeps its digits") {
  const Tensor k = kernel::concat({slice(key(), 2, 0, T - 1), Tensor::full({B, H, 1, d}, 1e12, DType::float64)}, 2);
  const std::vector<Size> all = {T, T};
  // The last chunk is of two positions: the first of them must not lose what stands before.
  check_close(LinearAttention(3)(query(), k, value(), causal_mask(T, T)).context, value().shape(),
              by_hand(query(), k, value(), true, all), 1e-12);
}

TEST_CASE("linear attention continues a state by any number of positions, and leaves it alone when it refuses") {
  const Var q = query(), k = key(), v = value();
  const Var whole = LinearAttention()(q, k, v, causal_mask(T, T)).context;
  RunningSums state;
  Vars parts;
  Size from = 0;
  for (Size count : {1, 4, 1, 5}) {
    const auto next = [&](const Var& x) { return slice(x, 2, from, count); };
    parts.push_back(LinearAttention().step(next(q), next(k), next(v), state).context);
    from += count;
  }
  check_agree(concat(parts, 2), whole, 1e-13);

  const Var before = state.sums;
  const Var narrow = slice(q, 3, 0, 2), one = slice(q, 0, 0, 1);
  check_throws_with([&] { LinearAttention().step(narrow, narrow, v, state); },
                    {"linear attention", "[2, 3, 4, 6]", "[2, 3, 2, 6]"});
  check_throws_with([&] { LinearAttention().step(one, one, slice(v, 0, 0, 1), state); }, {"linear attention", "state"});
  CHECK(same_bits(state.sums, before));
}

TEST_CASE("the features are elu + 1, positive in float32 far below 0, and differentiable far above it") {
  const Var x = Var::parameter(numbers({-90, -20, -1, 0, 2, 1e4}, {6}));
  check_close(elu_features(x), {6}, {std::exp(-90), std::exp(-20), std::exp(-1), 1, 3, 1e4 + 1}, 0, 1e-14);
  check_close(grad(elu_features(x), {x}, Var(Tensor::ones({6}, DType::float64)))[0], {6},
              {std::exp(-90), std::exp(-20), std::exp(-1), 1, 1, 1}, 0, 1e-14);
  CHECK(elu_features(Tensor::full({1}, -20)).item() > 0);
  CHECK(elu(Tensor::full({1}, -20)).item() + 1 == 0);
}

TEST_CASE("a later value that is not a number reaches no earlier result") {
  const Tensor nan = Tensor::full({B, H, 1, dv}, std::numeric_limits<double>::quiet_NaN(), DType::float64);
  const Tensor v = kernel::concat({slice(value(), 2, 0, T - 1), nan}, 2);
  for (Size chunk : {2, 64}) {
    const Var found = LinearAttention(chunk)(query(), key(), v, causal_mask(T, T)).context;
    const Var expected = LinearAttention(chunk)(query(), key(), value(), causal_mask(T, T)).context;
    check_agree(slice(found, 2, 0, T - 1), slice(expected, 2, 0, T - 1), 1e-14);
  }
}

TEST_CASE("linear attention refuses chunks of nothing and a mask of pairs") {
  check_throws_with([] { LinearAttention(0); }, {"linear attention", "chunks of 0"});
  check_throws_with([] { LinearAttention()(query(), key(), value(), band_mask(T, T, 1, 1)); },
                    {"linear attention", "causal_mask and padding_mask"});
  check_throws_with([] { sums_by_chunks(query(), key(), value(), -1); }, {"sums by chunks", "-1"});
}
