#include "nn/attention/linformer.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/nn/layer_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr Size B = 2, H = 3, T = 7, d = 4, dv = 5, projected = 3;

const Tensor query = random({B, H, T, d}, DType::float64, 1), key = random({B, H, T, d}, DType::float64, 2),
             value = random({B, H, T, dv}, DType::float64, 3);

LinformerAttention linformer(bool share_projections = false) {
  Rng rng(5);
  return cast(LinformerAttention(T, projected, rng, share_projections), DType::float64);
}

// One query's result in plain loops, where the first `there` positions are.
std::vector<double> by_loops(const Tensor& E, const Tensor& F, Size b, Size h, Size i, Size there) {
  std::vector<double> scores(projected, 0.0), result(dv, 0.0);
  double total = 0;
  for (Size p = 0; p < projected; ++p) {
    for (Size j = 0; j < there; ++j) {
      for (Size c = 0; c < d; ++c) {
        scores[p] += query.at({b, h, i, c}) * E.at({p, j}) * key.at({b, h, j, c}) / std::sqrt(double{d});
      }
    }
    total += std::exp(scores[p]);
  }
  for (Size p = 0; p < projected; ++p) {
    for (Size j = 0; j < there; ++j) {
      for (Size c = 0; c < dv; ++c) {
        result[c] += std::exp(scores[p]) / total * F.at({p, j}) * value.at({b, h, j, c});
      }
    }
  }
  return result;
}

void check_by_loops(const Var& context, const Tensor& E, const Tensor& F, const std::vector<Size>& lengths) {
  std::vector<double> expected;
  for (Size b = 0; b < B; ++b) {
    for (Size h = 0; h < H; ++h) {
      for (Size i = 0; i < T; ++i) {
        const std::vector<double> row = by_loops(E, F, b, h, i, lengths[static_cast<std::size_t>(b)]);
        expected.insert(expected.end(), row.begin(), row.end());
      }
    }
  }
  check_close(context, {B, H, T, dv}, expected, 1e-13);
}

}  // namespace

TEST_CASE("Linformer agrees with plain loops, padded and not, with two projections and with one") {
  const LinformerAttention two = linformer(), one = linformer(true);
  check_by_loops(two(query, key, value).context, two.E.value(), two.F.value(), {T, T});
  check_by_loops(two(query, key, value, padding_mask({4, T}, T)).context, two.E.value(), two.F.value(), {4, T});
  check_by_loops(one(query, key, value).context, one.E.value(), one.E.value(), {T, T});
  CHECK_FALSE(two(query, key, value).weights.defined());
}

TEST_CASE("Linformer with one projection learns one, and has its derivatives to order 2") {
  CHECK(parameter_count(linformer()) == 2 * projected * T);
  CHECK(parameter_count(linformer(true)) == projected * T);
  check_derivatives(
      {layer_row("Linformer, E = F", linformer(true), {query, key, value},
                 [](const LinformerAttention& layer, const Vars& xs) { return layer(xs[0], xs[1], xs[2]).context; })});
}

TEST_CASE("the projections begin with the variance 1 / k") {
  Rng rng(3);
  const LinformerAttention layer(400, 25, rng);
  for (const Var& projection : {layer.E, layer.F}) {
    check_close(variance(projection, {0, 1}).value().item(), 1.0 / 25, 0.002);
  }
}

TEST_CASE("a query with no key at all gets 0 from Linformer") {
  const Var y = linformer()(query, key, value, padding_mask({0, T}, T)).context;
  check_agree(slice(y, 0, 0, 1), Tensor::zeros({1, H, T, dv}, DType::float64), 0);
}

TEST_CASE("Linformer refuses another length, a causal mask, pairs, and more projected keys than positions") {
  Rng rng(1);
  check_throws_with([&] { LinformerAttention(4, 5, rng); }, {"Linformer", "5 projected keys of 4"});
  check_throws_with([&] { LinformerAttention(4, 0, rng); }, {"Linformer", "0 projected keys"});
  const Var x = random({1, 1, 4, 3}, DType::float64);
  check_throws_with([&] { linformer()(x, x, x); }, {"Linformer", "7 positions, not 4", "pad"});
  check_throws_with([&] { linformer()(query, key, value, causal_mask(T, T)); }, {"Linformer", "no causal form"});
  check_throws_with([&] { linformer()(query, key, value, band_mask(T, T, 1, 1)); }, {"Linformer", "[1, 1, 7, 7]"});
}
