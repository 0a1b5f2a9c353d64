#include "nn/attention/gated.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/nn/layer_table.hpp"

using namespace attend;
using namespace attend::test;

TEST_CASE("gated attention multiplies what its core found by the sigmoid of its query's gate, in plain loops") {
  Rng rng(4);
  const Tensor q = random({2, 2, 5, 3}), k = random({2, 2, 5, 3}, DType::float64, 2),
               v = random({2, 2, 5, 4}, DType::float64, 3);
  const Tensor plain = SoftmaxAttention()(q, k, v).context.value();
  for (Size gates : {1, 4}) {
    CAPTURE(gates);
    GatedAttention layer = cast(GatedAttention(SoftmaxAttention(), 3, gates, rng), DType::float64);
    layer.gate.bias = Var::parameter(random({gates}));
    const Tensor W = layer.gate.weight.value(), b = layer.gate.bias.value();
    std::vector<double> expected;
    for (Size at = 0; at < 2 * 2 * 5 * 4; ++at) {
      const Sizes i = {at / 40, at / 20 % 2, at / 4 % 5, at % 4};
      const Size g = gates == 1 ? 0 : i[3];
      double score = b.at({g});
      for (Size c = 0; c < 3; ++c) score += q.at({i[0], i[1], i[2], c}) * W.at({c, g});
      expected.push_back(plain.at(i) / (1 + std::exp(-score)));
    }
    check_close(layer(q, k, v).context, {2, 2, 5, 4}, expected, 1e-14);
  }
}

TEST_CASE("gated attention with a gate for each number has derivatives to order 2") {
  Rng rng(4);
  const std::vector<Tensor> inputs = {random({1, 2, 4, 3}), random({1, 2, 4, 3}, DType::float64, 2),
                                      random({1, 2, 4, 2}, DType::float64, 3)};
  const std::vector<LayerRow> rows = {
      layer_row("GatedAttention", GatedAttention(SoftmaxAttention(), 3, 2, rng), inputs,
                [](const GatedAttention& layer, const Vars& xs) { return layer(xs[0], xs[1], xs[2]).context; })};
  check_derivatives(rows);
  check_visits(rows);
}

TEST_CASE("gated attention refuses a gate that fits neither one number nor all") {
  Rng rng(4);
  const Var q = random({1, 1, 4, 3}), v = random({1, 1, 4, 5});
  check_throws_with([&] { GatedAttention(SoftmaxAttention(), 3, 2, rng)(q, q, v); },
                    {"gated attention", "[3, 2]", "[1, 1, 4, 5]"});
  check_throws_with([&] { GatedAttention(SoftmaxAttention(), 2, 1, rng)(q, q, v); },
                    {"gated attention", "[2, 1]", "[1, 1, 4, 3]"});
}
