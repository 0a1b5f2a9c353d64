#include "nn/attention/tree.hpp"

#include <cmath>

#include "nn/attention/dot_product.hpp"
#include "tensor/kernels.hpp"
#include "tests/nn/attention/by_hand.hpp"
#include "tests/nn/layer_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr Size B = 2, H = 3, T = 6, size = 4;

// 3 is above 0 and 5, 0 above 1 and 4, 5 above 2.
const Tree tree({3, 0, 5, -1, 0, 3});

std::vector<double> allowed(const Mask& mask) { return kernel::cast(mask.allowed(), DType::float64).to_vector(); }

ConstituentAttention exact() {
  Rng rng(3);
  ConstituentAttention layer(size, rng);
  layer.query_projection.bias = Var::parameter(random({size}, DType::float32, 4));
  return cast(layer, DType::float64);
}

Var input(std::uint64_t seed = 1) { return Var(random({B, T, size}, DType::float64, seed)); }

// Numbers between 0 and 1.
Tensor links_below(Size positions = T) {
  Rng rng(6);
  return rng.uniform({B, positions - 1}, 0.1, 0.9, DType::float64);
}

double dot(const Tensor& q, const Tensor& k, Size b, Size i, Size j) {
  double sum = 0;
  for (Size c = 0; c < size; ++c) sum += q.at({b, i, c}) * k.at({b, j, c});
  return sum / size;
}

}  // namespace

TEST_CASE("under an ancestor mask a position sees itself and what is above it, under a subtree mask what is below") {
  check_close(Var(numbers(allowed(ancestor_mask({tree}, T)), {T, T})), {T, T}, {1, 0, 0, 1, 0, 0,   // 0: itself and 3
                                                                                1, 1, 0, 1, 0, 0,   // 1
                                                                                0, 0, 1, 1, 0, 1,   // 2
                                                                                0, 0, 0, 1, 0, 0,   // 3, the root
                                                                                1, 0, 0, 1, 1, 0,   // 4
                                                                                0, 0, 0, 1, 0, 1},  // 5
              0);
  const Tensor above = ancestor_mask({tree}, T).allowed(), below = subtree_mask({tree}, T).allowed();
  CHECK(kernel::all(kernel::equal(above, transpose(below))));
}

TEST_CASE("under a children mask a position sees itself and what is right below it, and through that all below") {
  const Tensor children = children_mask({tree}, T).allowed();
  check_close(Var(numbers(allowed(children_mask({tree}, T)), {T, T})), {T, T}, {1, 1, 0, 0, 1, 0,   // 0: above 1 and 4
                                                                                0, 1, 0, 0, 0, 0,   // 1
                                                                                0, 0, 1, 0, 0, 0,   // 2
                                                                                1, 0, 0, 1, 0, 1,   // 3, the root
                                                                                0, 0, 0, 0, 1, 0,   // 4
                                                                                0, 0, 1, 0, 0, 1},  // 5
              0);
  const Tensor steps = kernel::cast(reshape(children, {T, T}), DType::float64);
  const Tensor twice = kernel::greater(kernel::matmul(steps, steps), Tensor::zeros({}, DType::float64));
  CHECK(kernel::all(kernel::equal(twice, reshape(subtree_mask({tree}, T).allowed(), {T, T}))));
  check_throws_with([] { children_mask({tree}, 5); }, {"children_mask: ", "6", "5 positions"});
}

TEST_CASE("a batch has a tree for each sequence; what stands behind a tree neither sees nor is seen") {
  const Tree star({-1, 0, 0}), alone({-1});
  const Mask mask = ancestor_mask({star, tree, alone}, T);
  CHECK(mask.allowed().shape() == Shape{3, 1, T, T});
  CHECK(kernel::all(kernel::equal(slice(mask.allowed(), 0, 1, 1), ancestor_mask({tree}, T).allowed())));
  for (Size i = 0; i < T; ++i) {
    for (Size j = 0; j < T; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      CHECK((mask.allowed().at({0, 0, i, j}) == 1) == (i < 3 && (i == j || j == 0)));
      CHECK((mask.allowed().at({2, 0, i, j}) == 1) == (i == 0 && j == 0));
    }
  }
  const Var q(random({3, H, T, 2})), v(random({3, H, T, 5}, DType::float64, 2));
  const Var y = scaled_dot_attention(q, q, v, {mask}).context;
  check_agree(slice(slice(y, 0, 0, 1), 2, 3, 3), Tensor::zeros({1, H, 3, 5}, DType::float64), 0);
}

TEST_CASE("a chain's ancestor mask is causal, and in a star each leaf sees itself and the root") {
  check_close(Var(numbers(allowed(ancestor_mask({Tree({-1, 0, 1, 2, 3})}, 5)), {5, 5})), {5, 5},
              allowed(causal_mask(5, 5)), 0);
  const std::vector<double> star = allowed(subtree_mask({Tree({2, 2, -1, 2})}, 4));
  CHECK(star == std::vector<double>{1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1});
}

TEST_CASE("what is no tree is refused: no root, two roots, parents that are not there, cycles") {
  check_throws_with([] { Tree({}); }, {"tree: ", "0 roots", "0 positions"});
  check_throws_with([] { Tree({-1, 0, -1}); }, {"tree: ", "2 roots", "3 positions"});
  check_throws_with([] { Tree({1, 0}); }, {"tree: ", "0 roots"});
  check_throws_with([] { Tree({-1, 2, 3, 1}); }, {"tree: ", "1", "cycle"});
  check_throws_with([] { Tree({-1, 0, 0, 3}); }, {"tree: ", "3", "cycle"});
  check_throws_with([] { Tree({-1, 3, 0}); }, {"tree: ", "parent of 1 is 3", "3 positions"});
  check_throws_with([] { Tree({-1, -2}); }, {"tree: ", "parent of 1 is -2"});
  check_throws_with([] { ancestor_mask({}, T); }, {"ancestor_mask: ", "no tree"});
  check_throws_with([] { subtree_mask({tree}, 5); }, {"subtree_mask: ", "6", "5 positions"});
}

TEST_CASE("constituent attention is, in plain loops, what the paper says, and the next layer adds to its links") {
  const ConstituentAttention layer = exact();
  const Var x = input();
  const Tensor q = layer.query_projection(x).value(), k = layer.key_projection(x).value(), below = links_below();
  const auto to_right = [&](Size b, Size i) {  // p_i,i+1
    if (i == 0) return 1.0;
    const double left = std::exp(dot(q, k, b, i, i - 1)), right = std::exp(dot(q, k, b, i, i + 1));
    return right / (left + right);
  };
  const auto to_left = [&](Size b, Size i) { return i == T - 1 ? 1.0 : 1 - to_right(b, i); };  // p_i,i−1
  std::vector<double> first, second, prior;
  for (Size b = 0; b < B; ++b) {
    std::vector<double> a;
    for (Size i = 0; i + 1 < T; ++i) {
      a.push_back(std::sqrt(to_right(b, i) * to_left(b, i + 1)));
      second.push_back(below.at({b, i}) + (1 - below.at({b, i})) * a.back());
    }
    first.insert(first.end(), a.begin(), a.end());
    for (Size i = 0; i < T; ++i) {
      for (Size j = 0; j < T; ++j) {
        double product = 1;
        for (Size between = std::min(i, j); between < std::max(i, j); ++between) {
          product *= a[static_cast<std::size_t>(between)];
        }
        prior.push_back(product);
      }
    }
  }
  const Constituents found = layer(x);
  check_close(found.links, {B, T - 1}, first, 1e-14);
  check_close(found.prior, {B, T, T}, prior, 1e-14);
  const Constituents above = layer(x, Var(below));
  check_close(above.links, {B, T - 1}, second, 1e-14);
  check_agree(above.prior, constituent_prior(above.links), 0);
}

TEST_CASE("links lie within 0 and 1 and only grow from layer to layer") {
  const ConstituentAttention layer = exact();
  Var links;
  for (std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    const Var above = layer(input(seed), links).links;
    CHECK(kernel::all(above > 0));
    CHECK(kernel::all(above <= 1));
    if (links.defined()) CHECK(kernel::all(above > links));
    links = above;
  }
}

TEST_CASE("padding is linked to nothing and moves nothing, NaN included; one position is a phrase of its own") {
  const ConstituentAttention layer = exact();
  const Mask mask = padding_mask({T, 3}, T);
  const auto run = [&](double number) {
    const Tensor there = broadcast_to(unsqueeze(broadcast_to(mask.visible_keys(), {B, T}), 2), {B, T, size});
    const Var x = Var::parameter(kernel::where(there, input().value(), Tensor::full({}, number, DType::float64)));
    const Constituents found = layer(x, {}, mask);
    return Vars{found.links, found.prior, random_gradients(found.prior, {x})[0]};
  };
  const Vars zeros = run(0), nan = run(std::nan("")), large = run(1e6);
  for (std::size_t i = 0; i < zeros.size(); ++i) {
    CHECK(same_bits(nan[i], zeros[i]));
    CHECK(same_bits(large[i], zeros[i]));
  }
  const auto second = [](const Var& x) { return slice(x, 0, 1, 1); };
  check_agree(slice(second(zeros[0]), 1, 2, 3), Tensor::zeros({1, 3}, DType::float64), 0);
  const Constituents shorter = layer(slice(second(input()), 1, 0, 3));
  check_agree(slice(second(zeros[0]), 1, 0, 2), shorter.links, 1e-15);
  check_agree(slice(slice(second(zeros[1]), 1, 0, 3), 2, 0, 3), shorter.prior, 1e-15);

  const Constituents one = layer(slice(input(), 1, 0, 1));
  CHECK(one.links.shape() == Shape{B, 0});
  check_agree(one.prior, Tensor::ones({B, 1, 1}, DType::float64), 0);
}

TEST_CASE("scores too far apart for a softmax to tell have a link of 0, and derivatives that are numbers") {
  ConstituentAttention layer = exact();
  const Var x = Var::parameter(kernel::affine(input().value(), 1e3, 0));
  const Constituents found = layer(x);
  CHECK(kernel::any(equal(found.links, Var(Tensor::zeros({}, DType::float64)))));
  CHECK(kernel::all_finite(random_gradients(found.prior, {x})[0].value()));
}

TEST_CASE("a link of 0 cuts exactly, and products keep their relative error over a long sentence") {
  const Var links(numbers({0.5, 0, 0.25}, {1, 3}));
  check_close(constituent_prior(links), {1, 4, 4}, {1, 0.5, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0.25, 0, 0, 0.25, 1}, 0);
  const Var weak(Tensor::full({1, 100}, 1e-3, DType::float64));
  check_close(constituent_prior(weak).value().at({0, 0, 100}), 1e-300, 0, 1e-13);
}

TEST_CASE("attention with a prior is, in plain loops, softmax times the prior, and adds up to 1 when it is asked to") {
  const Var q(random({B, H, T, 2})), k(random({B, H, T, 2}, DType::float64, 2)),
      v(random({B, H, T, 5}, DType::float64, 3));
  const Var prior = constituent_prior(Var(links_below()));
  for (const Mask& mask : {Mask(), causal_mask(T, T), ancestor_mask({tree}, T)}) {
    const Attended plain = scaled_dot_attention(q, k, v, {mask});
    const Var weights = plain.weights * unsqueeze(prior, 1);
    const Attended found = attention_with_prior(q, k, v, prior, mask);
    check_agree(found.weights, weights, 1e-15);
    check_agree(found.context, matmul(weights, v), 1e-14);
    CHECK(kernel::all(sum(found.weights, {3}) <= 1 + 1e-15));
    CHECK(kernel::any(sum(found.weights, {3}) < 0.9));

    const Attended whole = attention_with_prior(q, k, v, prior, mask, true);
    check_agree(sum(whole.weights, {3}), Tensor::ones({B, H, T}, DType::float64), 1e-14);
    check_agree(whole.weights * sum(weights, {3}, true), weights, 1e-14);
    check_agree(whole.context, matmul(whole.weights, v), 1e-14);
  }
  const Attended hidden = attention_with_prior(q, k, v, prior, padding_mask({T, 0}, T), true);
  check_agree(slice(hidden.context, 0, 1, 1), Tensor::zeros({1, H, T, 5}, DType::float64), 0);
}

TEST_CASE("constituent attention and attention with its prior have derivatives to order 2 and leave nothing alive") {
  const Mask padded = padding_mask({T, 4}, T);
  const Tensor x = input().value(), below = links_below();
  const std::vector<Tensor> heads = {random({B, H, T, 2}), random({B, H, T, 2}, DType::float64, 2),
                                     random({B, H, T, 5}, DType::float64, 3), below};
  const auto prior_of = [](const Mask& mask) {
    return [mask](const ConstituentAttention& layer, const Vars& xs) { return layer(xs[0], xs[1], mask).prior; };
  };
  const auto weighted = [](bool renormalise) {
    return [renormalise](const Vars& xs) {
      return attention_with_prior(xs[0], xs[1], xs[2], constituent_prior(xs[3]), causal_mask(T, T), renormalise)
          .context;
    };
  };
  const std::vector<LayerRow> rows = {
      layer_row("ConstituentAttention", exact(), {x, below}, prior_of(Mask())),
      layer_row("ConstituentAttention, padded", exact(), {x, below}, prior_of(padded)),
      layer_row("ConstituentAttention, first layer", exact(), {x},
                [](const ConstituentAttention& layer, const Vars& xs) { return layer(xs[0]).prior; }),
      function_row("attention_with_prior, causal", heads, weighted(false)),
      function_row("attention_with_prior, causal, renormalised", heads, weighted(true)),
  };
  check_derivatives(rows);
  check_visits(rows);
  check_nothing_alive(rows);
  check_narrow(rows);
}

TEST_CASE("constituent attention refuses masks of order and pairs, and links and priors of another size") {
  const ConstituentAttention layer = exact();
  check_throws_with([&] { layer(input(), {}, causal_mask(T, T)); }, {"constituent attention: ", "causal", "6"});
  check_throws_with([&] { layer(input(), {}, band_mask(T, T, 1, 1)); }, {"constituent attention: ", "[1, 1, 6, 6]"});
  check_throws_with([&] { layer(input(), Var(links_below(T + 1))); },
                    {"constituent attention: ", "[2, 6]", "[2, 6, 4]"});
  check_throws_with([&] { layer(Var(random({T, size}))); }, {"constituent attention: ", "[6, 4]"});
  check_throws_with([&] { layer(Var(random({2, 0, size}))); }, {"constituent attention: ", "[2, 0, 4]", "no position"});
  check_throws_with([] { constituent_prior(Var(random({3}))); }, {"constituent_prior: ", "[3]"});
  const Var q(random({B, H, T, 2}));
  check_throws_with(
      [&] {
        attention_with_prior(q, q, q, Var(random({B, T, T - 1})));
      },
      {"attention with a prior: ", "[2, 6, 5]", "[2, 3, 6, 2]"});
  check_throws_with(
      [&] {
        attention_with_prior(q, q, Var(random({B, H, 1, 2})), Var(random({B, T, T})));
      },
      {"attention with a prior: "});
}
