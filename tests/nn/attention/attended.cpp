#include "nn/attention/attended.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/nn/layers.hpp"
#include "tests/support/special.hpp"

using namespace attend;
using namespace attend::test;

namespace {

Mask mask_of(const std::vector<bool>& allowed, const Shape& shape) { return Mask(Tensor::from_bools(allowed, shape)); }

bool finite(const Var& x) {
  for (double value : x.value().to_vector()) {
    if (!std::isfinite(value)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("weights are a softmax over the keys, the last axis") {
  check_close(attention_weights(Var(numbers({1000, 1001}, {1, 1, 2})), {}), {1, 1, 2}, {0.26894142, 0.73105858}, 5e-9);
  for (const Shape& shape : {Shape{2, 3, 4}, Shape{2, 5, 3, 4}}) {
    for (const Mask& mask : {Mask(), causal_mask(3, 4), padding_mask({4, 1}, 4)}) {
      const Var weights = attention_weights(Var(random(shape)), mask);
      Shape rows = shape;
      rows.erase(rows.size() - 1);
      check_close(sum(weights, {-1}), rows, std::vector<double>(static_cast<std::size_t>(element_count(rows)), 1),
                  1e-15);
    }
  }
}

TEST_CASE("the mask hides keys from queries, before the softmax") {
  const Var x(numbers({1, 2, 5}, {1, 3, 1}));
  const Mask mask = padding_mask({2}, 3);
  const Var weights = attention_weights(0.1 * matmul(x, transpose(x)), mask);
  check_close(weighted_sum(weights, x, mask), {1, 3, 1}, {1.52497919, 1.54983400, 1.62245933}, 5e-9);
}

TEST_CASE("a query that may attend to nothing has weights 0, result 0 and derivatives 0") {
  const Var scores = Var::parameter(numbers({1, 2, 3, 4}, {1, 2, 2})),
            value = Var::parameter(numbers({10, 20}, {1, 2, 1}));
  const Mask mask = mask_of({false, false, true, true}, {2, 2});
  const Var weights = attention_weights(scores, mask), context = weighted_sum(weights, value, mask);
  check_close(slice(weights, 1, 0, 1), {1, 1, 2}, {0, 0}, 0);
  check_close(slice(context, 1, 0, 1), {1, 1, 1}, {0}, 0);
  const Vars gradients = grad(context, {scores, value}, Var(numbers({1, 0}, {1, 2, 1})));  // of that query
  check_close(gradients[0], {1, 2, 2}, {0, 0, 0, 0}, 0);
  check_close(gradients[1], {1, 2, 1}, {0, 0}, 0);
}

TEST_CASE("masked scores may hold anything, and get the derivative 0") {
  const std::vector<double> others = {not_a_number, infinity, -infinity, 1e308};
  for (double other : others) {
    const Var scores = Var::parameter(numbers({1, other, 2}, {1, 1, 3}));
    const Var weights = attention_weights(scores, mask_of({true, false, true}, {1, 3}));
    check_close(weights, {1, 1, 3}, {0.26894142, 0, 0.73105858}, 5e-9);
    const Vars gradients = grad(weights, {scores}, Var(numbers({1, 5, 0}, {1, 1, 3})));
    check_close(gradients[0], {1, 1, 3}, {0.19661193, 0, -0.19661193}, 5e-9);
  }
}

TEST_CASE("a masked value that is not finite has no part in the result") {
  for (double other : {not_a_number, infinity, -infinity}) {
    const Var weights(numbers({1, 0}, {1, 1, 2})), value(numbers({1, other}, {1, 2, 1}));
    check_close(weighted_sum(weights, value, mask_of({true, false}, {1, 2})), {1, 1, 1}, {1}, 0);
  }
}

TEST_CASE("a value that is not finite reaches the queries that may attend to it, in its own feature, and no other") {
  const Var weights = Var::parameter(numbers({0.5, 0.5, 1, 0}, {1, 2, 2}));
  const Var value = Var::parameter(numbers({1, 2, 3, not_a_number}, {1, 2, 2}));
  const Mask mask = mask_of({true, true, true, false}, {2, 2});  // the second query may not see the second value
  const Var context = weighted_sum(weights, value, mask);
  CHECK(context.value().at({0, 0, 0}) == 2);
  CHECK(std::isnan(context.value().at({0, 0, 1})));
  CHECK(context.value().at({0, 1, 0}) == 1);
  CHECK(context.value().at({0, 1, 1}) == 2);
  // Nor does it reach the derivatives of the query that may not see it.
  const Vars gradients = grad(slice(context, 1, 1, 1), {weights, value}, Var(numbers({3, 4}, {1, 1, 2})));
  CHECK(finite(gradients[0]));
  check_close(gradients[1], {1, 2, 2}, {3, 4, 0, 0}, 0);
}

TEST_CASE("with several heads, the mask may differ from head to head") {
  const Mask mask = mask_of({true, false, false, true}, {1, 2, 1, 2});
  const Var weights = attention_weights(Var(Tensor::zeros({1, 2, 1, 2}, DType::float64)), mask);
  check_close(weights, {1, 2, 1, 2}, {1, 0, 0, 1}, 0);
  const Var value(numbers({1, not_a_number, not_a_number, 4}, {1, 2, 2, 1}));
  check_close(weighted_sum(weights, value, mask), {1, 2, 1, 1}, {1, 4}, 0);
}

TEST_CASE("no keys at all give results of 0") {
  const Var weights = attention_weights(Var(Tensor::zeros({2, 3, 0}, DType::float64)), {});
  check_close(weighted_sum(weights, Var(Tensor::zeros({2, 0, 1}, DType::float64)), {}), {2, 3, 1}, {0, 0, 0, 0, 0, 0},
              0);
}

TEST_CASE("invisible keys become 0, and the others stay") {
  const Var keys = Var::parameter(numbers({1, 2, not_a_number, 4, 5, 6, 7, 8}, {2, 2, 2}));
  const Var hidden = hide_invisible(keys, padding_mask({1, 2}, 2));
  check_close(hidden, {2, 2, 2}, {1, 2, 0, 0, 5, 6, 7, 8}, 0);
  const Var g(Tensor::ones({2, 2, 2}, DType::float64));
  check_close(grad(hidden, {keys}, g)[0], {2, 2, 2}, {1, 1, 0, 0, 1, 1, 1, 1}, 0);
  CHECK(hide_invisible(keys, {}).node().get() == keys.node().get());
  CHECK(hide_invisible(keys, causal_mask(2, 2)).node().get() == keys.node().get());  // each is visible to some query
}

TEST_CASE("a mask that does not fit scores or keys is refused before it can broadcast") {
  const Mask mask = padding_mask({1, 2}, 2);
  check_throws_with([&] { attention_weights(Var(random({1, 3, 2})), mask); }, {"mask: ", "[2, 1, 1, 2]", "[1, 3, 2]"});
  check_throws_with([&] { attention_weights(Var(random({2, 3, 1})), mask); }, {"mask: ", "[2, 1, 1, 2]", "[2, 3, 1]"});
  check_throws_with([&] { hide_invisible(Var(random({1, 2, 3})), mask); }, {"mask: ", "[2, 1, 1, 2]", "[1, 2, 3]"});
  check_throws_with([&] { hide_invisible(Var(random({2, 1, 3})), mask); }, {"mask: ", "[2, 1, 1, 2]", "[2, 1, 3]"});
  check_throws_with([&] { hide_invisible(Var(random({2, 3, 3})), mask); }, {"mask: ", "[2, 1, 1, 2]", "[2, 3, 3]"});
}

TEST_CASE("a vector of any length gets the length 1, and ordinary ones are not touched by it") {
  const auto check_unit = [](double scale, DType dtype, double tolerance) {
    const Var x = Var::parameter(cast(Var(numbers({3 * scale, 4 * scale, 0, 0, 3, 4}, {3, 2})), dtype).value());
    const Var y = unit_length(x);
    check_close(cast(y, DType::float64), {3, 2}, {0.6, 0.8, 0, 0, 0.6, 0.8}, tolerance);
    // The derivative is (I − y yᵀ) / ‖x‖.
    const Var g = cast(grad(sum(slice(y, 1, 0, 1)), {x})[0], DType::float64);
    check_close(slice(slice(g, 0, 0, 1), 1, 0, 1) * scale, {1, 1}, {0.64 / 5}, tolerance);
    CHECK(same_bits(slice(y, 0, 2, 1), unit_length(slice(x, 0, 2, 1))));
  };
  for (double scale : {1e-300, 1e-200, 1.0, 1e200, 1e300}) check_unit(scale, DType::float64, 1e-14);
  for (double scale : {1e-36, 1e-25, 1.0, 1e25, 1e36}) check_unit(scale, DType::float32, 1e-6);
  for (double scale : {1e-3, 1.0, 1e3, 1e4}) check_unit(scale, DType::float16, 2e-3);
}
