#include "autograd/record.hpp"

#include <doctest/doctest.h>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr Size count = 1024, block = 8 * count;

// The bytes that the history of f's result keeps alive beside those of x.
template <class F>
Size kept_by(F f) {
  const Var x = Var::parameter(random({count}));
  const Var c = random({count}, DType::float64, 2);
  const Size before = live().bytes;
  const auto node = f(x, c).node();
  return live().bytes - before;
}

}  // namespace

TEST_CASE("a rule keeps what it names and nothing else") {
  // 2x and 3x are operands that nobody else holds.
  CHECK(kept_by([](const Var& x, const Var&) { return 2.0 * x + 3.0 * x; }) == 0);
  CHECK(kept_by([](const Var& x, const Var&) { return -(2.0 * x - 3.0 * x); }) == 0);
  CHECK(kept_by([](const Var& x, const Var&) { return sum(2.0 * x); }) == 0);
  CHECK(kept_by([](const Var& x, const Var&) { return mean(reshape(2.0 * x, {2, count / 2}), {0}); }) == 0);
  CHECK(kept_by([](const Var& x, const Var&) { return concat({2.0 * x, 3.0 * x}, 0); }) == 0);
  CHECK(kept_by([](const Var& x, const Var&) { return slice(flip(cumsum(2.0 * x, 0), {0}), 0, 0, 2); }) == 0);
  CHECK(kept_by([](const Var& x, const Var&) { return tanh(2.0 * x); }) == block);      // its output
  CHECK(kept_by([](const Var& x, const Var&) { return softmax(2.0 * x); }) == block);   // its output
  CHECK(kept_by([](const Var& x, const Var&) { return softplus(2.0 * x); }) == block);  // its input
  CHECK(kept_by([](const Var& x, const Var&) { return (2.0 * x) * (3.0 * x); }) == 2 * block);
  CHECK(kept_by([](const Var& x, const Var&) { return exp(exp(x)); }) == 2 * block);
}

TEST_CASE("an input is kept only if the rule that reads it will run") {
  CHECK(kept_by([](const Var& x, const Var& c) { return (2.0 * x) * c; }) == 0);
  CHECK(kept_by([](const Var& x, const Var& c) { return c * (2.0 * x); }) == 0);
  CHECK(kept_by([](const Var& x, const Var& c) { return (2.0 * x) / c; }) == 0);  // 1/c alone is read
  CHECK(kept_by([](const Var& x, const Var& c) { return c / (2.0 * x); }) == 2 * block);
  CHECK(kept_by([](const Var& x, const Var& c) { return x * (2.0 * c); }) == block);
}

TEST_CASE("an input or output that is not kept is still there with its shape") {
  const Var x = Var::parameter(random({2, 3}));
  const Var y = sum(2.0 * x, {1});
  CHECK(y.node()->inputs[0].shape() == Shape{2, 3});
  CHECK_FALSE(y.node()->inputs[0].value().has_data());
  CHECK(y.node()->outputs[0].shape() == Shape{2});
  CHECK_FALSE(y.node()->outputs[0].has_data());
  CHECK(std::string(y.node()->op) == "sum");
  CHECK(y.node()->id > x.node()->id);
}

TEST_CASE("nothing is recorded when nobody wants a derivative") {
  const Var a = random({3}), b = random({3}, DType::float64, 2);
  const Counts before;
  const Var y = tanh(a * b) + softmax(a);
  CHECK_FALSE(y.needs_grad());
  CHECK(Counts().nodes == before.nodes);
  CHECK(Counts().blocks == before.blocks + 1);  // the result
  const Vars parts = split(a, {1, 2}, 0);
  CHECK_FALSE(parts[0].needs_grad());
  CHECK_FALSE(concat(parts, 0).needs_grad());
  CHECK(Counts().nodes == before.nodes);
}

TEST_CASE("an op recorded 1000 times leaves nothing behind, with and without a backward pass (O-04)") {
  const Var x = Var::parameter(random({2, 3}));
  const Tensor mask = Tensor::ones({3}, DType::boolean);
  const Counts before;
  for (int i = 0; i < 1000; ++i) {
    for (const Var& y : {exp(x), tanh(x), softmax(x), masked_softmax(x, mask), logsumexp(x, {1}), norm(x, {1})}) {
      if (i % 2 == 1) grad(sum(y), {x});
    }
  }
  check_nothing_left(before);
}

TEST_CASE("a joint rule gives a cotangent to each input") {
  const auto product = [](const Var& a, const Var& b) {
    return record_joint("product", kernel::mul(a.value(), b.value()), {a, b}, [](const Var& g, Inputs in) {
      return Vars{g * in[1], g * in[0]};
    });
  };
  const Var a = Var::parameter(numbers({2, 3}, {2})), b = Var::parameter(numbers({5, 7}, {2}));
  const Vars g = grad(product(a, b), {a, b}, numbers({1, 10}, {2}));
  check_close(g[0], {2}, {5, 70}, 0);
  check_close(g[1], {2}, {2, 30}, 0);
  const Var constant = numbers({5, 7}, {2});
  check_close(grad(sum(product(a, constant)), {a})[0], {2}, {5, 7}, 0);
  check_close(grad(sum(product(a, a)), {a})[0], {2}, {4, 6}, 0);
}

TEST_CASE("a joint rule of forty inputs reads every one of them") {
  Vars xs;
  for (int i = 0; i < 40; ++i) xs.push_back(Var::parameter(numbers({i + 1.0}, {})));
  const auto squares = [](const Vars& inputs) {
    double sum_of_squares = 0;
    for (const Var& x : inputs) sum_of_squares += x.item() * x.item();
    return record_joint("squares", numbers({sum_of_squares}, {}), inputs, [](const Var& g, Inputs in) {
      Vars out;
      for (std::size_t i = 0; i < in.size(); ++i) out.push_back(2.0 * g * in[i]);
      return out;
    });
  };
  const Vars g = grad(squares(xs), xs);
  for (int i = 0; i < 40; ++i) CHECK(g[static_cast<std::size_t>(i)].item() == 2 * (i + 1));
}

TEST_CASE("an op with several outputs gets one cotangent for each, undefined where none came") {
  std::vector<bool> came;
  const auto both = [&came](const Var& x) {
    const Tensor twice = kernel::affine(x.value(), 2, 0), thrice = kernel::affine(x.value(), 3, 0);
    return record_outputs("both", {twice, thrice}, {x}, [&came](const Vars& gs, Shapes in) {
      came = {gs[0].defined(), gs[1].defined()};
      Var sum_of_both = Var(Tensor::zeros(in[0], DType::float64));
      if (gs[0].defined()) sum_of_both = sum_of_both + 2.0 * gs[0];
      if (gs[1].defined()) sum_of_both = sum_of_both + 3.0 * gs[1];
      return Vars{sum_of_both};
    });
  };
  const Var x = Var::parameter(numbers({1, 2}, {2}));
  Vars y = both(x);
  CHECK((y[0].node() == y[1].node()));
  CHECK(y[1].output() == 1);
  check_close(grad(sum(y[0] * y[1]), {x})[0], {2}, {12, 24}, 0);
  CHECK(came == std::vector<bool>{true, true});
  check_close(grad(sum(y[1]), {x})[0], {2}, {3, 3}, 0);
  CHECK(came == std::vector<bool>{false, true});
  // One of the outputs can itself be asked for.
  check_close(grad(sum(y[0] * y[1]), {y[1]})[0], {2}, {2, 4}, 0);
}

TEST_CASE("a rule whose cotangent is undefined contributes nothing") {
  const Var x = Var::parameter(numbers({1, 2}, {2}));
  const Var y = record_joint("stop", x.value(), {x}, [](const Var&) { return Vars{Var()}; });
  check_close(grad(sum(y) + sum(x), {x})[0], {2}, {1, 1}, 0);
}

TEST_CASE("a rule whose cotangents have a wrong number or shape is named (O-10)") {
  const Var x = Var::parameter(random({3}));
  const auto with_rule = [&](auto rule) { return record_joint("mine", kernel::add(x.value(), x.value()), {x}, rule); };
  check_throws_with(
      [&] {
        grad(with_rule([](const Var& g) { return Vars{g, g}; }), {x}, random({3}));
      },
      {"grad", "mine", "2 cotangents", "1 inputs"});
  check_throws_with([&] { grad(with_rule([](const Var&) { return Vars{Var(random({2}))}; }), {x}, random({3})); },
                    {"grad", "mine", "[2]", "input 0", "[3]"});
  check_throws_with([&] { grad(with_rule([](const Var& g) { return Vars{sum(g)}; }), {x}, random({3})); },
                    {"grad", "mine", "[]", "[3]"});
  check_close(grad(with_rule([](const Var& g) {
                     return Vars{broadcast_to(g, {2, 3})};
                   }),
                   {x}, numbers({1, 2, 3}, {3}))[0],
              {3}, {2, 4, 6}, 0);
}

TEST_CASE("only float32 and float64 can be parameters") {
  check_throws_with([] { Var::parameter(Tensor::arange(3)); }, {"parameter", "int64", "[3]"});
  check_throws_with([] { Var::parameter(Tensor::from_bools({true}, {1})); }, {"parameter", "bool", "[1]"});
  CHECK(Var::parameter(Tensor::zeros({2})).needs_grad());
  CHECK_FALSE(Var(Tensor::zeros({2})).needs_grad());
  CHECK_FALSE(detach(Var::parameter(Tensor::zeros({2}))).needs_grad());
}

TEST_CASE("dims names the sizes and checks how many there are") {
  const auto [rows, columns] = dims<2>(Var(Tensor::zeros({2, 3})));
  CHECK(rows == 2);
  CHECK(columns == 3);
  check_throws_with([] { dims<2>(Var(Tensor::zeros({2, 3, 4})), "attention"); }, {"attention", "2 axes", "[2, 3, 4]"});
}
