#include "nn/attention/core.hpp"

#include <doctest/doctest.h>

#include "nn/attention/local.hpp"
#include "tests/nn/layers.hpp"

using namespace attend;
using namespace attend::test;

TEST_CASE("multi-head attention around a softmax core is multi-head attention, in results, weights and names") {
  Rng rng(1);
  const CoreAttention layer(6, 3, SoftmaxAttention(), rng);
  const Tensor x = random({2, 5, 6}, DType::float32);
  const Mask mask = causal_mask(5, 5) & padding_mask({5, 3}, 5);
  const Attended found = layer(x, mask), expected = layer.projections(x, mask);
  CHECK(same_bits(found.context, expected.context));
  CHECK(same_bits(found.weights, expected.weights));
  CHECK(named_parameters(layer).front().first == "projections.query_projection.weight");
}

TEST_CASE("a copy of a core has parameters of its own") {
  struct Scaled {
    Var scale;
    Attended operator()(const Var&, const Var&, const Var& v, const Mask&) const { return {scale * v, Var()}; }
    void parameters(const Visit& visit) { visit("scale", scale); }
  };
  const AttentionCore core = Scaled{Var::parameter(numbers({2}, {}))};
  AttentionCore copy = core, assigned = SoftmaxAttention();
  assigned = copy;
  rebind(copy, [](const Var&, std::size_t) { return numbers({3}, {}); });
  const Var v = numbers({1, 10}, {1, 1, 2, 1});
  check_agree(core(v, v, v).context, numbers({2, 20}, {1, 1, 2, 1}), 0);
  check_agree(copy(v, v, v).context, numbers({3, 30}, {1, 1, 2, 1}), 0);
  check_agree(assigned(v, v, v).context, numbers({2, 20}, {1, 1, 2, 1}), 0);
}

TEST_CASE("the map of a core is the weights that it forms, or would form") {
  const Var q = random({2, 3, 7, 4}), k = random({2, 3, 7, 4}, DType::float64, 2);
  check_agree(attention_map(SoftmaxAttention(), q, k), SoftmaxAttention()(q, k, k).weights, 1e-15);
  check_agree(attention_map(LocalAttention(2, 1), q, k), SoftmaxAttention()(q, k, k, band_mask(7, 7, 2, 1)).weights,
              1e-15);
}

TEST_CASE("heads that do not fit each other are refused with their shapes") {
  const auto heads = [](const Shape& shape) { return Var(random(shape)); };
  check_throws_with(
      [&] {
        check_heads("op", heads({2, 3, 4, 5}), heads({2, 3, 4, 6}), heads({2, 3, 4, 5}));
      },
      {"op: query [2, 3, 4, 5]", "key [2, 3, 4, 6]", "[B, H, T, d]"});
  check_throws_with([&] { check_heads("op", heads({2, 3, 4, 5}), heads({2, 3, 4, 5}), heads({2, 3, 5, 5})); }, {"op"});
  check_throws_with([&] { check_heads("op", heads({2, 4, 5}), heads({2, 4, 5}), heads({2, 4, 5})); }, {"op"});
}
