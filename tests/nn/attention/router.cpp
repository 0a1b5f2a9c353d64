#include "nn/attention/router.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "nn/attention/entmax.hpp"
#include "tensor/cost.hpp"
#include "tensor/kernels.hpp"
#include "tests/nn/layer_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

RoutedAttention routed(Size experts, Size chosen) {
  Rng rng(7);
  return cast(RoutedAttention(4, 3, experts, chosen, rng), DType::float64);
}

// Every expert for every token, and the gates of those not chosen 0.
Var all_experts(const RoutedAttention& layer, const Var& x, const Mask& mask) {
  const auto [B, T, size] = dims<3>(x);
  const Var logits = layer.router(x);
  const Tensor largest = among_largest(logits.value(), layer.chosen);
  const Var gates = layer.chosen == 1 ? where(largest, softmax(logits), Tensor::zeros({}, DType::float64))
                                      : masked_softmax(logits, largest);
  Var y = Tensor::zeros({B, T, size}, DType::float64);
  for (std::size_t e = 0; e < layer.queries.size(); ++e) {
    const Var head = scaled_dot_attention(layer.queries[e](x), layer.keys(x), layer.values(x), {mask}).context;
    y = y + slice(gates, 2, static_cast<Size>(e), 1) * layer.outputs[e](head);
  }
  return y;
}

}  // namespace

TEST_CASE("routed attention is the gated sum over all experts, of which it computes the chosen alone") {
  const Var x = random({2, 6, 4});
  for (Size chosen : {1, 2, 5}) {
    CAPTURE(chosen);
    const RoutedAttention layer = routed(5, chosen);
    check_agree(layer(x).y, all_experts(layer, x, {}), 1e-14);
    const Mask causal = causal_mask(6, 6);
    check_agree(layer(x, causal).y, all_experts(layer, x, causal), 1e-14);
  }
}

TEST_CASE("more experts make routed attention no dearer but for the router") {
  const Var x = random({2, 6, 4});
  const auto products = [&](Size experts) {
    CostCounter counter;
    routed(experts, 2)(x);
    return counter.products();
  };
  // Beside the logits, [12, 4] · [4, E], the mean probability of each expert and the count of its choices.
  CHECK(products(8) - products(3) == 5 * (12 * 4 + 12 + 12));
}

TEST_CASE("gates are the softmax over the chosen, and the other logits get no derivative; with k = 1 over all") {
  const Var logits = Var::parameter(numbers({1, 3, 2, 0}, {1, 4}));
  const Routes two = route(logits, 2);
  CHECK(two.experts.to_ints() == std::vector<std::int64_t>{1, 2});
  check_close(two.gates, {1, 2}, {0.7310585786300049, 0.2689414213699951}, 1e-15);
  const double slope = 0.7310585786300049 * 0.2689414213699951;
  check_close(grad(select(two.gates, 1, 0), {logits}, Tensor::ones({1}, DType::float64))[0], {1, 4},
              {0, slope, -slope, 0}, 1e-15);
  check_agree(route(logits, 1).gates, slice(softmax(logits), 1, 1, 1), 0);
}

TEST_CASE("an expert that no token chose gets the derivative 0") {
  RoutedAttention layer = routed(3, 1);
  layer.router.weight = Var::parameter(numbers({9, 0, -9, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {4, 3}));
  const Var x = abs(random({1, 5, 4}));  // the first expert for all
  const Routed found = layer(x);
  check_close(found.usage, {3}, {1, 0, 0}, 0);
  const Vars of_queries = random_gradients(found.y, {layer.queries[0].weight, layer.queries[1].weight});
  check_close(of_queries[1], {4, 3}, std::vector<double>(12, 0), 0);
  CHECK(kernel::any(kernel::not_equal(of_queries[0].value(), Tensor::zeros({}, DType::float64))));
}

TEST_CASE("the load-balance loss is E Σ f P: 1 where the router does not care, E where all go to one") {
  RoutedAttention layer = routed(3, 1);
  const Var x = abs(random({2, 5, 4}));
  layer.router.weight = Var::parameter(Tensor::zeros({4, 3}, DType::float64));
  check_close(layer(x).balance, {}, {1}, 1e-15);
  layer.router.weight = Var::parameter(numbers({1e4, 0, 0, 1e4, 0, 0, 1e4, 0, 0, 1e4, 0, 0}, {4, 3}));
  check_close(layer(x).balance, {}, {3}, 1e-12);
}

TEST_CASE("padding is not counted by the router and reaches nothing, NaN included") {
  const Mask mask = padding_mask({5, 3}, 5);
  const RoutedAttention layer = routed(4, 2);
  const Tensor x = random({2, 5, 4});
  const Tensor there = reshape(broadcast_to(mask.visible_keys(), {2, 5}), {2, 5, 1});
  const auto with = [&](double number) {
    return layer(kernel::where(there, x, Tensor::full({}, number, DType::float64)), mask);
  };
  const Routed zero = with(0), nan = with(std::numeric_limits<double>::quiet_NaN());
  check_agree(nan.y, zero.y, 0);
  check_agree(nan.balance, zero.balance, 0);

  const auto counts = [&](const Routes& routes, Size tokens) {
    return kernel::affine(kernel::sum(one_hot(routes.experts, 4, DType::float64), {0, 1}, false), 1.0 / (2.0 * tokens),
                          0);
  };
  const Var seen =
      concat({reshape(slice(Var(x), 0, 0, 1), {5, 4}), reshape(slice(slice(Var(x), 0, 1, 1), 1, 0, 3), {3, 4})}, 0);
  check_agree(zero.usage, counts(route(layer.router(seen), 2), 8), 1e-15);
}

TEST_CASE("routed attention has derivatives to order 2, visits its parameters and leaves nothing alive") {
  std::vector<LayerRow> rows;
  for (Size chosen : {1, 2}) {
    rows.push_back(layer_row("RoutedAttention, " + std::to_string(chosen) + " of 3", routed(3, chosen),
                             {random({2, 4, 4})}, [](const RoutedAttention& layer, const Vars& xs) {
                               const Routed found = layer(xs[0]);
                               return found.y + found.balance;
                             }));
  }
  check_derivatives(rows);
  check_visits(rows);
  check_nothing_alive(rows);
}

TEST_CASE("a router refuses to choose none or more experts than there are, and masks that differ between heads") {
  Rng rng(7);
  check_throws_with([&] { RoutedAttention(4, 3, 2, 3, rng); }, {"routed attention", "3 chosen of 2"});
  check_throws_with([&] { route(random({2, 3}), 0); }, {"route", "0 chosen of 3"});
  check_throws_with(
      [&] {
        routed(2, 2)(random({1, 3, 4}), Mask(Tensor::ones({1, 2, 3, 3}, DType::boolean)));
      },
      {"routed attention", "[1, 2, 3, 3]"});
}
