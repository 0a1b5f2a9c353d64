// Derivatives at zero, at kinks and ties, and at infinity, where a formula divides by what vanishes.
#include <doctest/doctest.h>

#include <cmath>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/special.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

Var leaf(const std::vector<double>& values) {
  return Var::parameter(numbers(values, {static_cast<Size>(values.size())}));
}

// The gradient of the sum of f(x).
template <class F>
Var slope(F f, const std::vector<double>& values) {
  const Var x = leaf(values);
  return grad(sum(f(x)), {x})[0];
}

const double log_of_2 = std::log(2.0);

}  // namespace

TEST_CASE("a branch that is not taken does not reach the gradient when it has a safe input (O-13)") {
  const Var a = leaf({1000});
  const auto safe_exp = [](const Var& x) {
    const Tensor use = x <= 0.0;
    return where(use, exp(where(use, x, Var(Tensor::zeros({}, x.dtype())))), 1.0 + x);
  };
  CHECK(safe_exp(a).item() == 1001);
  check_close(grad(safe_exp(a), {a})[0], {1}, {1}, 0);
  const auto safe_sqrt = [](const Var& x) {
    const Tensor use = x > 0.0;
    return where(use, sqrt(where(use, x, Var(Tensor::ones({}, x.dtype())))), x);
  };
  check_close(slope(safe_sqrt, {-1, -4}), {2}, {1, 1}, 0);
  check_close(slope(safe_sqrt, {4, -4}), {2}, {0.25, 1}, 0);
}

TEST_CASE("elu takes its exponential of a safe input itself (O-13)") {
  check_close(slope([](const Var& x) { return elu(x); }, {1000, -1000, 0}), {3}, {1, 0, 1}, 0);
}

TEST_CASE("the product's derivative does not divide by its factors (O-14)") {
  const auto product = [](const Var& x) { return prod(x, {0}); };
  check_close(slope(product, {0, 2, 3}), {3}, {6, 0, 0}, 0);
  check_close(slope(product, {0, 0, 3}), {3}, {0, 0, 0}, 0);
  check_close(slope(product, {2, 3, 4, 5}), {4}, {60, 40, 30, 24}, 0);
}

TEST_CASE("powers at 0 and of negative numbers (O-14)") {
  check_close(slope([](const Var& x) { return pow(x, 2); }, {0, -3}), {2}, {0, -6}, 0);
  check_close(slope([](const Var& x) { return pow(x, 1); }, {0, -3}), {2}, {1, 1}, 0);
  check_close(slope([](const Var& x) { return pow(x, 3); }, {0, -3}), {2}, {0, 27}, 1e-13);
  check_close(slope([](const Var& x) { return pow(x, 0.5); }, {0, 4}), {2}, {infinity, 0.25}, 1e-15);
  const Var x = leaf({0, 5});
  CHECK_FALSE(pow(x, 0).needs_grad());  // 1 everywhere

  const Var a = leaf({0, 2}), b = leaf({1, 1});
  const Vars g = grad(sum(pow(a, b)), {a, b});
  check_close(g[0], {2}, {1, 1}, 1e-15);
  check_close(g[1], {2}, {0, 2 * log_of_2}, 1e-15);
  const Var none = leaf({0, 3}), naught = leaf({0, 0});
  const Vars of_one = grad(sum(pow(none, naught)), {none, naught});
  check_close(of_one[0], {2}, {0, 0}, 0);
  check_close(of_one[1], {2}, {0, std::log(3.0)}, 1e-15);
  const Var zero = leaf({0}), two = leaf({2});
  const Vars of_square = grad(sum(pow(zero, two)), {zero, two});
  check_close(of_square[0], {1}, {0}, 0);
  check_close(of_square[1], {1}, {0}, 0);
}

TEST_CASE("the norm at 0 has the derivative 0, and so have a constant row's variance and spread (O-14)") {
  const auto length = [](const Var& x) { return norm(x, {-1}); };
  check_close(slope(length, {0, 0}), {2}, {0, 0}, 0);
  check_close(slope(length, {3, 4}), {2}, {0.6, 0.8}, 1e-15);
  check_close(slope([](const Var& x) { return norm(x - mean(x, {0}, true), {0}); }, {1, 1, 1}), {3}, {0, 0, 0}, 0);
  check_close(slope([](const Var& x) { return variance(x, {0}); }, {1, 1, 1}), {3}, {0, 0, 0}, 0);
  const Var rows = Var::parameter(numbers({0, 0, 3, 4}, {2, 2}));
  check_close(grad(sum(norm(rows, {1})), {rows})[0], {2, 2}, {0, 0, 0.6, 0.8}, 1e-15);
}

TEST_CASE("functions at 0 and at ±1, ±large (O-14)") {
  check_close(slope([](const Var& x) { return abs(x); }, {-2, 0, 3}), {3}, {-1, 0, 1}, 0);
  check_close(slope([](const Var& x) { return sqrt(x); }, {0, 4}), {2}, {infinity, 0.25}, 0);
  check_close(slope([](const Var& x) { return log(x); }, {0, 2}), {2}, {infinity, 0.5}, 0);
  check_close(slope([](const Var& x) { return tanh(x); }, {-1000, 0, 1000}), {3}, {0, 1, 0}, 0);
  check_close(slope([](const Var& x) { return erf(x); }, {-1000, 0, 1000}), {3}, {0, 2 / std::sqrt(M_PI), 0}, 1e-15);
  check_close(slope([](const Var& x) { return gelu(x); }, {-1000, 0, 1000}), {3}, {0, 0.5, 1}, 0);
  check_close(slope([](const Var& x) { return gelu_tanh(x); }, {-1000, 0, 1000}), {3}, {0, 0.5, 1}, 0);
  check_close(slope([](const Var& x) { return x * x; }, {0}), {1}, {0}, 0);
}

TEST_CASE("sigmoid and its logarithm do not overflow (O-15)") {
  const Var x = leaf({-1000, 0, 1000}), y = sigmoid(x);
  check_close(y, {3}, {0, 0.5, 1}, 0);
  check_close(grad(sum(y), {x})[0], {3}, {0, 0.25, 0}, 0);
  // log σ(x) = −softplus(−x)
  const Var low = leaf({-300, -1000, 1000});
  const Var log_sigmoid = -softplus(-low);
  check_close(log_sigmoid, {3}, {-300, -1000, 0}, 0);
  check_close(grad(sum(log_sigmoid), {low})[0], {3}, {1, 1, 0}, 1e-15);
  check_close(slope([](const Var& z) { return softplus(z); }, {-1000, 0, 1000}), {3}, {0, 0.5, 1}, 0);
}

TEST_CASE("logsumexp and softmax with −∞ among their scores (O-16)") {
  const auto of = [](const Var& x) { return logsumexp(x, {0}); };
  check_close(slope(of, {-infinity, 0, 1}), {3}, {0, 0.26894142, 0.73105858}, 5e-9);
  check_close(slope(of, {-infinity, -infinity}), {2}, {0, 0}, 0);
  CHECK(logsumexp(leaf({-infinity, -infinity}), {0}).item() == -infinity);
  check_close(slope(of, {1000, 1001}), {2}, {0.26894142, 0.73105858}, 5e-9);
  const Var x = leaf({-infinity, 0, 1});
  check_close(grad(softmax(x), {x}, numbers({5, 1, 0}, {3}))[0], {3}, {0, 0.19661193, -0.19661193}, 5e-9);
  check_close(grad(log_softmax(x), {x}, numbers({0, 1, 0}, {3}))[0], {3}, {0, 0.73105858, -0.73105858}, 5e-9);
}

TEST_CASE("softmax of a row, with a cotangent that is not uniform (O-48)") {
  const Var x = leaf({1, 2, 3}), y = softmax(x);
  check_close(y, {3}, {0.09003057, 0.24472847, 0.66524096}, 5e-9);
  check_close(grad(y, {x}, numbers({1, 0, -1}, {3}))[0], {3}, {0.14181709, 0.14077036, -0.28258745}, 5e-9);
}

TEST_CASE("a row that may attend to nothing has output 0 and all gradients 0 (O-17)") {
  const Var scores = Var::parameter(numbers({1, 2}, {1, 2})), values = Var::parameter(numbers({10, 20}, {2, 1}));
  const Tensor nothing = Tensor::from_bools({false, false}, {1, 2});
  const Var out = matmul(masked_softmax(scores, nothing), values);
  CHECK(out.item() == 0);
  const Vars g = grad(out, {scores, values});
  check_close(g[0], {1, 2}, {0, 0}, 0);
  check_close(g[1], {2, 1}, {0, 0}, 0);
}

TEST_CASE("NaN and infinity in a masked place have no part in the derivatives, of any order (O-18)") {
  const Tensor mask = Tensor::from_bools({true, false, true}, {3});
  const auto second = [&](double hidden) {
    const Var x = Var::parameter(numbers({1, hidden, 2}, {3}));
    const Var g = grad(masked_softmax(x, mask), {x}, numbers({1, 0.5, 3}, {3}), true)[0];
    return std::pair(g, grad(g, {x}, numbers({1, 2, -1}, {3}))[0]);
  };
  const auto [first_clean, second_clean] = second(0);
  for (double hidden : {not_a_number, infinity, -infinity}) {
    const auto [first_found, second_found] = second(hidden);
    check_agree(first_found, first_clean, 0);
    check_agree(second_found, second_clean, 0);
  }
  CHECK(first_clean.value().at({1}) == 0);
  CHECK(second_clean.value().at({1}) == 0);
}

TEST_CASE("a cotangent that is NaN in a masked place does not spread (O-18)") {
  const Var x = leaf({1, 5, 2});
  const Tensor mask = Tensor::from_bools({true, false, true}, {3});
  const Var clean = grad(masked_softmax(x, mask), {x}, numbers({1, 0, 3}, {3}), true)[0];
  const Var found = grad(masked_softmax(x, mask), {x}, numbers({1, not_a_number, 3}, {3}), true)[0];
  check_agree(found, clean, 0);
  const Var again = grad(clean, {x}, numbers({2, 0, 1}, {3}))[0];
  check_agree(grad(found, {x}, numbers({2, not_a_number, 1}, {3}))[0], again, 0);
}

TEST_CASE("true means: may attend (O-19)") {
  const Var scores = numbers({0, 0, 0}, {1, 3}), values = numbers({1, 2, 3}, {3, 1});
  const Tensor first = Tensor::from_bools({true, false, false}, {1, 3});
  CHECK(matmul(masked_softmax(scores, first), values).item() == 1);
}

TEST_CASE("the mask hides keys: what stands in a padded place changes no output (O-20)") {
  const Tensor keys = Tensor::from_bools({true, true, false}, {1, 3});
  for (double padding : {5.0, -100.0}) {
    const Var x = numbers({1, 2, padding}, {3, 1});
    const Var weights = masked_softmax(0.1 * matmul(x, transpose(x)), keys);
    const Var out = matmul(weights, x);
    check_close(slice(out, 0, 0, 2), {2, 1}, {1.52497919, 1.54983400}, 5e-9);
    if (padding == 5) check_close(out.value().at({2, 0}), 1.62245933, 5e-9);
    check_close(sum(weights, {1}), {3}, {1, 1, 1}, 1e-15);
  }
}

TEST_CASE("softmax runs over the last axis unless told otherwise (O-21)") {
  check_close(softmax(Var(numbers({0, 0}, {1, 1, 2}))), {1, 1, 2}, {0.5, 0.5}, 0);
  const Var scores = random({2, 3, 4});
  check_close(sum(softmax(scores), {-1}), {2, 3}, std::vector<double>(6, 1), 1e-15);
  check_close(sum(softmax(scores, 1), {1}), {2, 4}, std::vector<double>(8, 1), 1e-15);
}

TEST_CASE("at a kink the derivative is the documented one (O-49)") {
  check_close(slope([](const Var& x) { return relu(x); }, {0, -0.0}), {2}, {0, 0}, 0);
  check_close(slope([](const Var& x) { return leaky_relu(x, 0.25); }, {0}), {1}, {0.25}, 0);
  check_close(slope([](const Var& x) { return clamp(x, -1, 1); }, {-1, 1, 1.5, -1.5, 0}), {5}, {1, 1, 0, 0, 1}, 0);
}

TEST_CASE("ties share the derivative: two a half each, an extreme over axes evenly") {
  const Var a = leaf({1, 2, 5}), b = leaf({1, 3, 4});
  const Vars larger = grad(sum(maximum(a, b)), {a, b}), smaller = grad(sum(minimum(a, b)), {a, b});
  check_close(larger[0], {3}, {0.5, 0, 1}, 0);
  check_close(larger[1], {3}, {0.5, 1, 0}, 0);
  check_close(smaller[0], {3}, {0.5, 1, 0}, 0);
  check_close(smaller[1], {3}, {0.5, 0, 1}, 0);
  check_close(slope([](const Var& x) { return max(x, {0}); }, {3, 1, 3, 3}), {4}, {1.0 / 3, 0, 1.0 / 3, 1.0 / 3}, 0);
  check_close(slope([](const Var& x) { return min(x, {0}); }, {3, 1, 1, 3}), {4}, {0, 0.5, 0.5, 0}, 0);
}

TEST_CASE("statistics of too few numbers are refused (O-12)") {
  const Var nothing = Var(numbers({}, {2, 0})), one = Var(numbers({1}, {1}));
  check_throws_with([&] { mean(nothing, {1}); }, {"mean", "[2, 0]", "[1]"});
  check_throws_with([&] { mean(nothing); }, {"mean", "[2, 0]"});
  check_throws_with([&] { variance(nothing, {1}); }, {"variance", "[2, 0]", "[1]"});
  check_throws_with([&] { variance(one, {0}, false, 1); }, {"variance", "1", "[1]"});
  check_throws_with([&] { max(nothing, {1}); }, {"max", "[2, 0]"});
  CHECK(mean(nothing, {0}).shape() == Shape{0});
  check_close(sum(nothing, {1}), {2}, {0, 0}, 0);
  check_close(logsumexp(nothing, {1}), {2}, {-infinity, -infinity}, 0);
  check_close(norm(nothing, {1}), {2}, {0, 0}, 0);
}

TEST_CASE("ops name themselves when an axis, a bound or a dtype is wrong") {
  const Var x(Tensor::ones({2, 3}));
  check_throws_with([&] { sum(x, {2}); }, {"sum", "axis 2"});
  check_throws_with([&] { mean(x, {0, 0}); }, {"mean", "twice"});
  check_throws_with([&] { prod(x, {-3}); }, {"prod", "axis -3"});
  check_throws_with([&] { logsumexp(x, {2}); }, {"logsumexp", "axis 2"});
  check_throws_with([&] { norm(x, {2}); }, {"norm", "axis 2"});
  check_throws_with([&] { cumsum(x, 2); }, {"cumsum", "axis 2"});
  check_throws_with([&] { softmax(x, 2); }, {"softmax", "axis 2"});
  check_throws_with([&] { log_softmax(x, -3); }, {"log_softmax", "axis -3"});
  check_throws_with([&] { roll(x, 1, 2); }, {"roll", "axis 2"});
  check_throws_with([&] { flip(x, {2}); }, {"flip", "axis 2"});
  check_throws_with([&] { clamp(x, 2, 1); }, {"clamp", "[2, 3]"});
  check_throws_with([&] { clamp(x, not_a_number, 1); }, {"clamp", "[2, 3]"});
  const Var whole(Tensor::arange(3));
  check_throws_with([&] { whole + whole; }, {"add", "int64", "[3]"});
  check_throws_with([&] { whole * 2.0; }, {"affine", "int64", "[3]"});
  check_throws_with([&] { tanh(whole); }, {"tanh", "int64", "[3]"});
  check_throws_with([&] { x + Var(Tensor::ones({2, 3}, DType::float64)); }, {"add", "float32", "float64", "[2, 3]"});
}
