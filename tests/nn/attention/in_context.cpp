#include "nn/attention/in_context.hpp"

#include <doctest/doctest.h>

#include "tests/nn/layer_table.hpp"

using namespace attend;
using namespace attend::test;

TEST_CASE("in-context attention is its sum over the examples, in plain loops") {
  Rng rng(6);
  const InContextAttention layer = cast(InContextAttention(3, rng), DType::float64);
  const Tensor e = random({1, 5, 3});
  const Tensor q = layer.queries(e).value(), k = layer.keys(e).value(), v = layer.values(e).value();
  std::vector<double> sums;
  for (Size at = 0; at < 15; ++at) {
    double sum = 0;
    for (Size i = 0; i < 4; ++i) {
      double product = 0;
      for (Size c = 0; c < 3; ++c) product += k.at({0, i, c}) * q.at({0, at / 3, c});
      sum += product * v.at({0, i, at % 3});
    }
    sums.push_back(sum);
  }
  const Var expected = Var(e) + layer.projection(Var(numbers(sums, {1, 5, 3})));
  check_agree(layer(e, 4), expected, 1e-14);
  check_agree(layer(e, 0), e, 0);
}

TEST_CASE("one layer with the constructed weights moves each answer by one step of gradient descent, in plain loops") {
  const Size N = 4;
  const double rate = 0.3;
  const Tensor x = random({1, N, 2}), y = random({1, N, 1}, DType::float64, 2), W = random({2, 1}, DType::float64, 3);
  double step[2] = {};  // ΔW = −rate / N Σ x (x W − y)
  for (Size i = 0; i < N; ++i) {
    const double error = x.at({0, i, 0}) * W.at({0, 0}) + x.at({0, i, 1}) * W.at({1, 0}) - y.at({0, i, 0});
    for (Size c = 0; c < 2; ++c) step[c] -= rate / N * error * x.at({0, i, c});
  }
  const Var tokens = gradient_descent_attention(W, N, rate)(regression_tokens(x, y, x, W), N);
  std::vector<double> expected;
  for (Size j = 0; j < N; ++j) {
    const double a = x.at({0, j, 0}), b = x.at({0, j, 1});
    expected.push_back(a * (W.at({0, 0}) + step[0]) + b * (W.at({1, 0}) + step[1]));
  }
  check_close(regression_answers(tokens, N, 1), {1, N, 1}, expected, 1e-14);
  check_agree(slice(tokens, 2, 0, 2), concat({Var(x), Var(x)}, 1), 0);  // the x stay as they are
}

TEST_CASE("a query's answer depends on no other query, and examples may come in any order") {
  Rng rng(6);
  const Tensor x = random({1, 5, 2}), y = random({1, 5, 1}, DType::float64, 2),
               W = Tensor::zeros({2, 1}, DType::float64);
  const InContextAttention layer = gradient_descent_attention(W, 5, 0.2);
  const auto answer = [&](const Var& xs, const Var& ys, const Var& asked) {
    return regression_answers(layer(regression_tokens(xs, ys, asked, W), 5), 5, 1);
  };
  const Var asked = random({1, 3, 2}, DType::float64, 4);
  check_agree(answer(x, y, slice(asked, 1, 1, 1)), slice(answer(x, y, asked), 1, 1, 1), 1e-15);
  const Tensor order = Tensor::from_ints(rng.permutation(5), {5});
  check_agree(answer(take(x, 1, order), take(y, 1, order), asked), answer(x, y, asked), 1e-14);
}

TEST_CASE("in-context attention has derivatives to order 2 and visits its parameters") {
  Rng rng(6);
  const std::vector<LayerRow> rows = {
      layer_row("InContextAttention", InContextAttention(3, rng), {random({2, 5, 3})},
                [](const InContextAttention& layer, const Vars& xs) { return layer(xs[0], 4); })};
  check_derivatives(rows);
  check_visits(rows);
}

TEST_CASE("in-context attention refuses contexts beyond its tokens and weights that are no matrix") {
  Rng rng(6);
  const InContextAttention layer(3, rng);
  const Var e = Tensor::zeros({1, 4, 3});
  check_throws_with([&] { layer(e, 5); }, {"in-context attention", "5 examples", "[1, 4, 3]"});
  check_throws_with([&] { layer(e, -1); }, {"in-context attention", "-1 examples"});
  check_throws_with([] { gradient_descent_attention(Tensor::zeros({3}), 2, 1); },
                    {"gradient descent attention", "[3]"});
  check_throws_with(
      [] {
        gradient_descent_attention(Tensor::zeros({3, 1}), 0, 1);
      },
      {"gradient descent attention", "0 examples"});
}
