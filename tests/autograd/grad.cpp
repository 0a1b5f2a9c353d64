#include "autograd/grad.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

Var leaf(double value) { return Var::parameter(numbers({value}, {})); }

// x itself, but `seen` is called when the backward pass comes by.
Var probe(const Var& x, std::function<void()> seen) {
  return record("probe", x.value(), {x}, [seen](const Var& g) {
    seen();
    return g;
  });
}

}  // namespace

TEST_CASE("a reused intermediate is propagated once, after all its consumers (O-01)") {
  const Var a = leaf(2), b = a * a, d = b * (b + 3.0);
  CHECK(d.item() == 28);
  CHECK(grad(d, {a})[0].item() == 44);
  int visits = 0;
  const Var c = probe(a * a, [&] { ++visits; });
  CHECK(grad(c * (c + 3.0), {a})[0].item() == 44);
  CHECK(visits == 1);
}

TEST_CASE("diamonds upon diamonds cost one visit each (O-01)") {
  const Var x = leaf(1);
  int visits = 0;
  Var y = x;
  for (int i = 0; i < 40; ++i) {
    y = probe(y, [&] { ++visits; });
    y = 0.5 * y + 0.5 * y;
  }
  CHECK(grad(y, {x})[0].item() == 1);
  CHECK(visits == 40);
}

TEST_CASE("both operands may be one tensor (O-02)") {
  const Var a = leaf(5);
  CHECK(grad(a - a, {a})[0].item() == 0);
  CHECK(grad(a + a, {a})[0].item() == 2);
  CHECK(grad(a * a, {a})[0].item() == 10);
  CHECK(grad(a / a, {a})[0].item() == 0);
  CHECK(grad(maximum(a, a), {a})[0].item() == 1);
  CHECK(grad(where(Tensor::from_bools({true}, {}), a, a), {a})[0].item() == 1);

  const Var x = Var::parameter(numbers({1, 2, 3, 4}, {2, 2}));
  const Var weight = numbers({1, 2, 3, 4}, {2, 2});
  check_close(grad(sum(weight * matmul(x, transpose(x))), {x})[0], {2, 2}, {17, 24, 29, 42}, 0);
}

TEST_CASE("self-attention with a residual adds up four paths (O-02)") {
  const Var x = Var::parameter(numbers({1, 0, 0, 1}, {2, 2}));
  const Var weight = numbers({1, 2, 3, 4}, {2, 2});
  const Var out = x + matmul(softmax(matmul(x, transpose(x)) / std::sqrt(2.0)), x);
  check_close(out, {2, 2}, {1.66976155, 0.33023845, 0.33023845, 1.66976155}, 5e-9);
  check_close(grad(sum(weight * out), {x})[0], {2, 2}, {2.34767971, 4.66047690, 5.33952310, 7.65232029}, 5e-9);
}

TEST_CASE("a broadcast operand gets the sum of what its copies got (O-06)") {
  const Tensor a_value = Tensor::arange(12), b_value = Tensor::arange(4);
  const Var a = Var::parameter(reshape(cast(Var(a_value), DType::float64).value(), {3, 4}));
  const Var row = Var::parameter(reshape(cast(Var(b_value), DType::float64).value(), {1, 4}));
  check_close(grad(sum(a + row), {row})[0], {1, 4}, {3, 3, 3, 3}, 0);
  check_close(grad(sum(row - a), {row})[0], {1, 4}, {3, 3, 3, 3}, 0);
  check_close(grad(sum(a * row), {row})[0], {1, 4}, {12, 15, 18, 21}, 0);
  const Var column = Var::parameter(numbers({1, 2, 4}, {3, 1})), one = Var::parameter(numbers({2}, {1, 1}));
  check_close(grad(sum(column * a), {column})[0], {3, 1}, {6, 22, 38}, 0);
  check_close(grad(sum(a / column), {column})[0], {3, 1}, {-6, -22.0 / 4, -38.0 / 16}, 1e-15);
  check_close(grad(sum(a * one), {one})[0], {1, 1}, {66}, 0);
  const Var number = leaf(2), list = Var::parameter(numbers({1, 1, 1, 1}, {4}));
  check_close(grad(sum(number * a), {number})[0], {}, {66}, 0);
  check_close(grad(sum(a + list), {list})[0], {4}, {3, 3, 3, 3}, 0);
}

TEST_CASE("sum_to adds along the widened axes alone") {
  const Var g = numbers({1, 2, 3, 4, 5, 6}, {2, 3});
  check_close(sum_to(g, {2, 3}), {2, 3}, {1, 2, 3, 4, 5, 6}, 0);
  check_close(sum_to(g, {3}), {3}, {5, 7, 9}, 0);
  check_close(sum_to(g, {2, 1}), {2, 1}, {6, 15}, 0);
  check_close(sum_to(g, {1, 1}), {1, 1}, {21}, 0);
  check_close(sum_to(g, {}), {}, {21}, 0);
  check_close(sum_to(Var(numbers({}, {0, 3})), {1, 3}), {1, 3}, {0, 0, 0}, 0);
}

TEST_CASE("the gradient of y for itself, for an intermediate, and for what it does not depend on") {
  const Var x = leaf(3), other = leaf(4), middle = x * x, y = 2.0 * middle;
  const Vars g = grad(y, {y, middle, x, other, x});
  CHECK(g[0].item() == 1);
  CHECK(g[1].item() == 2);
  CHECK(g[2].item() == 12);
  CHECK(g[3].item() == 0);
  CHECK(g[4].item() == 12);
  const Var wide = Var::parameter(Tensor::zeros({2, 3}));
  CHECK(grad(y, {wide})[0].shape() == Shape{2, 3});
  CHECK(grad(y, {wide})[0].dtype() == DType::float32);
  CHECK(grad(y, {}).empty());
}

TEST_CASE("a leaf made after y, and a constant y, give zeros") {
  const Var x = leaf(3), y = x * x, late = leaf(1);
  CHECK(grad(y, {late})[0].item() == 0);
  CHECK(grad(Var(numbers({7}, {})), {x})[0].item() == 0);
  CHECK(grad(detach(y), {x})[0].item() == 0);
}

TEST_CASE("nothing is walked that is older than all that is asked for") {
  const Var x = leaf(2);
  int visits = 0;
  const Var before = probe(2.0 * x, [&] { ++visits; });
  const Var middle = Var::parameter(before.value());
  const Var y = middle * middle * detach(before) + before;
  CHECK(grad(y, {middle})[0].item() == 32);
  CHECK(visits == 0);
}

TEST_CASE("grad is a function: a second call gives the same and nothing adds up") {
  const Var x = leaf(3), y = x * x;
  CHECK(grad(y, {x})[0].item() == 6);
  CHECK(grad(y, {x})[0].item() == 6);
  const Counts before;
  { const Vars g = grad(y, {x}); }
  check_nothing_left(before);
}

TEST_CASE("a cotangent weighs the elements of y") {
  const Var x = Var::parameter(numbers({1, 2, 3}, {3}));
  check_close(grad(x * x, {x}, numbers({1, 10, 100}, {3}))[0], {3}, {2, 40, 600}, 0);
  check_close(grad(softmax(x), {x}, numbers({1, 0, -1}, {3}))[0], {3}, {0.14181709, 0.14077036, -0.28258745}, 5e-9);
}

TEST_CASE("a cotangent of another shape or dtype is refused, and so is none for many elements") {
  const Var x = Var::parameter(numbers({1, 2, 3}, {3})), y = x * x;
  check_throws_with([&] { grad(y, {x}); }, {"grad", "[3]", "gy"});
  check_throws_with([&] { grad(y, {x}, numbers({1, 2}, {2})); }, {"grad", "[2]", "[3]"});
  check_throws_with([&] { grad(y, {x}, numbers({1, 2, 3}, {1, 3})); }, {"grad", "[1, 3]", "[3]"});
  check_throws_with([&] { grad(y, {x}, Tensor::ones({3})); }, {"grad", "float64", "float32", "[3]"});
  check_throws_with([&] { grad(Var(numbers({}, {0})), {x}); }, {"grad", "[0]"});
  CHECK(grad(sum(x, {0}, true), {x})[0].shape() == Shape{3});  // [1] is one element too
}

TEST_CASE("a constant has no gradient to ask for") {
  const Var x = leaf(3), constant = numbers({1, 2}, {2});
  check_throws_with([&] { grad(x * x, {x, constant}); }, {"grad", "[2]", "constant"});
  CHECK(recording());  // the mode is as before
}

TEST_CASE("without create_graph a gradient is a constant, with it it can be differentiated again") {
  const Var x = leaf(2), y = x * x * x;
  CHECK_FALSE(grad(y, {x})[0].needs_grad());
  const Var first = grad(y, {x}, {}, true)[0];
  CHECK(first.item() == 12);
  const Var second = grad(first, {x}, {}, true)[0];
  CHECK(second.item() == 12);
  const Var third = grad(second, {x}, {}, true)[0];
  CHECK(third.item() == 6);
  CHECK(grad(third, {x})[0].item() == 0);
}

TEST_CASE("the gradient depends on the cotangent too, and can be differentiated for it") {
  const Var x = Var::parameter(numbers({1, 2}, {2})), gy = Var::parameter(numbers({5, 7}, {2}));
  const Var g = grad(x * x, {x}, gy, true)[0];
  check_close(grad(sum(g), {gy})[0], {2}, {2, 4}, 0);
}

TEST_CASE("a parameter that is bound anew leaves the old history right") {
  Var w = leaf(3);
  const Var old = w, y = w * w;
  w = Var::parameter(numbers({100}, {}));
  CHECK(grad(y, {old})[0].item() == 6);
  CHECK(grad(y, {w})[0].item() == 0);
}

TEST_CASE("a history that is handed over is freed as it is passed") {
  const Var x = Var::parameter(random({64}));
  Size alive_at_the_end = 0, before = 0;
  const auto build = [&] {
    before = live().nodes;
    Var y = probe(x, [&] { alive_at_the_end = live().nodes - before; });
    for (int i = 0; i < 200; ++i) y = tanh(y);
    return sum(y);
  };
  Var kept = build();
  const Var expected = grad(kept, {x})[0];
  CHECK(alive_at_the_end == 202);
  kept = Var();
  Var loss = build();
  CHECK(same_bits(grad(std::move(loss), {x})[0], expected));
  CHECK(alive_at_the_end <= 2);
}

TEST_CASE("a backward pass that is left by an exception leaves nothing behind") {
  const Var x = leaf(2);
  const Counts before;
  CHECK_THROWS_AS(grad(tanh(probe(x * x, [] { throw std::runtime_error("stop"); })), {x}), std::runtime_error);
  check_nothing_left(before);
  CHECK(recording());
  CHECK(grad(x * x, {x})[0].item() == 4);
}

TEST_CASE("the n-th derivative of tanh is a polynomial of tanh") {
  const Var x = leaf(0.5);
  const double t = std::tanh(0.5);
  std::vector<double> p = {0, 1};  // coefficients of t
  Var y = tanh(x);
  for (int n = 1; n <= 8; ++n) {
    // d p(t)/dx = p'(t) (1 − t²)
    std::vector<double> next(p.size() + 1, 0.0);
    for (std::size_t k = 1; k < p.size(); ++k) {
      next[k - 1] += static_cast<double>(k) * p[k];
      next[k + 1] -= static_cast<double>(k) * p[k];
    }
    p = next;
    double expected = 0, power = 1;
    for (double coefficient : p) expected += coefficient * power, power *= t;
    y = grad(y, {x}, {}, true)[0];
    INFO("derivative ", n);
    check_close(y.item(), expected, 1e-11, 1e-11);
  }
}
