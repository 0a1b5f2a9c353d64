#include "nn/attention/entmax.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tensor/kernels.hpp"
#include "tests/nn/layers.hpp"

using namespace attend;
using namespace attend::test;

namespace {

const Size T = 12, d = 3;

Var heads(std::uint64_t seed) { return random({2, 2, T, d}, DType::float64, seed); }

// The Jacobian says the same of a key as its weight: nothing.
void check_nothing_beside_support(const Attended& found, const Var& k, const Var& v, Size query) {
  const Tensor weights = slice(found.weights.value(), 2, query, 1);  // [B, H, 1, T]
  const Vars gradients = random_gradients(slice(found.context, 2, query, 1), {k, v});
  const Tensor outside = kernel::equal(transpose(weights), Tensor::zeros({}, DType::float64));  // [B, H, T, 1]
  CHECK(kernel::any(outside));
  for (const Var& gradient : gradients) {
    const Tensor there = kernel::where(outside, gradient.value(), Tensor::zeros({}, DType::float64));
    CHECK(kernel::all(kernel::equal(there, Tensor::zeros({}, DType::float64))));
    CHECK(kernel::any(kernel::not_equal(gradient.value(), Tensor::zeros({}, DType::float64))));
  }
}

}  // namespace

TEST_CASE("keys outside of the support have no part in values and derivatives") {
  const Var q = 2 * heads(1), k = Var::parameter(heads(2).value()), v = Var::parameter(heads(3).value());
  check_nothing_beside_support(SparsemaxAttention()(q, k, v), k, v, 4);
  check_nothing_beside_support(EntmaxAttention(1.5)(q, k, v), k, v, 4);
  check_nothing_beside_support(TopKAttention(3)(q, k, v), k, v, 4);
  check_nothing_beside_support(SparsemaxAttention()(q, k, v, causal_mask(T, T)), k, v, 9);
  check_nothing_beside_support(TopKAttention(3)(q, k, v, causal_mask(T, T)), k, v, 9);
}

TEST_CASE("entmax attention is entmax of the scaled scores, in plain loops") {
  const Tensor q = random({1, 1, 3, 2}), k = random({1, 1, 3, 2}, DType::float64, 2),
               v = random({1, 1, 3, 4}, DType::float64, 3);
  for (double alpha : {1.0, 1.5, 2.0}) {
    CAPTURE(alpha);
    const Tensor y = EntmaxAttention(alpha)(q, k, v).context.value();
    for (Size i = 0; i < 3; ++i) {
      std::vector<double> scores;
      for (Size j = 0; j < 3; ++j) {
        const double product = q.at({0, 0, i, 0}) * k.at({0, 0, j, 0}) + q.at({0, 0, i, 1}) * k.at({0, 0, j, 1});
        scores.push_back(product / std::sqrt(2.0));
      }
      const Tensor weights = entmax(Var(numbers(scores, {3})), alpha).value();
      for (Size c = 0; c < 4; ++c) {
        double expected = 0;
        for (Size j = 0; j < 3; ++j) expected += weights.at({j}) * v.at({0, 0, j, c});
        check_close(y.at({0, 0, i, c}), expected, 1e-14);
      }
    }
  }
}

TEST_CASE("top-k attention keeps k keys for each query, of equal scores the first, and no masked one") {
  const Var same = Var(Tensor::ones({1, 1, 4, 2}, DType::float64)), v = random({1, 1, 4, 3});
  const TopKAttention two(2);
  check_close(select(two(same, same, v).weights, 2, 3), {1, 1, 4}, {0.5, 0.5, 0, 0}, 1e-16);
  check_close(select(two(same, same, v, causal_mask(4, 4)).weights, 2, 0), {1, 1, 4}, {1, 0, 0, 0}, 0);
  check_close(select(two(same, same, v, padding_mask({0}, 4)).weights, 2, 2), {1, 1, 4}, {0, 0, 0, 0}, 0);
  const Var rising = Var(numbers({1, 2, 3, 4}, {1, 1, 4, 1})), one = Var(Tensor::ones({1, 1, 4, 1}, DType::float64));
  const double less = 1 / (1 + std::exp(1));  // of the scores 1 and 2, the largest that query 1 may see
  check_close(select(two(one, rising, v, causal_mask(4, 4)).weights, 2, 1), {1, 1, 4}, {less, 1 - less, 0, 0}, 1e-15);

  const Tensor weights = TopKAttention(3)(heads(1), heads(2), heads(3)).weights.value();
  const Tensor kept = kernel::cast(kernel::greater(weights, Tensor::zeros({}, DType::float64)), DType::float64);
  check_agree(kernel::sum(kept, {3}, false), Tensor::full({2, 2, T}, 3, DType::float64), 0);
}

TEST_CASE("sparse attentions refuse settings that mean nothing and masks that do not fit") {
  check_throws_with([] { EntmaxAttention(0.9); }, {"entmax attention", "alpha 0.9"});
  check_throws_with([] { EntmaxAttention{std::numeric_limits<double>::infinity()}; }, {"entmax attention", "alpha"});
  check_throws_with([] { TopKAttention(0); }, {"top-k attention", "0 scores"});
  const Var x = random({1, 1, 4, 3});
  check_throws_with([&] { SparsemaxAttention()(x, x, x, causal_mask(3, 3)); }, {"mask", "[1, 1, 3, 3]"});
}
