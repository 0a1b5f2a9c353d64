#include "autograd/explain.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <stdexcept>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "tensor/live.hpp"
#include "tensor/random.hpp"

using namespace attend;

namespace {

Var number(double value) { return Var::parameter(Tensor::from({value}, {}, DType::float64)); }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the backward pass through the diamond is told number by number, in the order of the engine") {
  const Var a = number(2), b = a * a, d = b * (b + 3.0);
  CHECK(explain(d, {{"a", a}, {"b", b}, {"d", d}}) ==
        "1  d = mul(b, #2)\n"
        "   value     28\n"
        "   receives  1  to start with\n"
        "   sends     7  to b\n"
        "             4  to #2\n"
        "2  #2 = affine(b)\n"
        "   value     7\n"
        "   receives  4  from step 1, mul\n"
        "   sends     4  to b\n"
        "3  b = mul(a, a)\n"
        "   value     4\n"
        "   receives  7  from step 1, mul\n"
        "             4  from step 2, affine\n"
        "             = 11\n"
        "   sends     22  to a\n"
        "             22  to a\n"
        "4  a, a leaf\n"
        "   value     2\n"
        "   receives  22  from step 3, mul\n"
        "             22  from step 3, mul\n"
        "   gradient  44\n");
}

TEST_CASE("a cotangent that broadcasting had widened is shown summed, and a value that no rule reads as not kept") {
  const Var x = Var::parameter(Tensor::from({1, 2, 3, 4, 5, 6}, {2, 3})),
            w = Var::parameter(Tensor::from({10, 20, 30}, {3}));
  const std::string told = explain(sum(x - w), {{"x", x}, {"w", w}});
  CHECK(contains(told, "sends     [[1, 1, 1], [1, 1, 1]]  to x\n"));
  CHECK(contains(told, "[-2, -2, -2]  to w\n               (summed from [2, 3] to [3])\n"));
  CHECK(contains(told, "2  #2 = sub(x, w)\n   value     [2, 3], not kept: no rule reads it\n"));
  CHECK(contains(told, "   gradient  [-2, -2, -2]\n"));
  CHECK(contains(explain(sum(x * w), {{"x", x}, {"w", w}}), "[5, 7, 9]  to w\n"));  // its rule sums by itself
}

TEST_CASE("the gradients told are those of grad") {
  Rng rng(4);
  const Var x = Var::parameter(rng.normal({2, 2}, 0, 1, DType::float64));
  const Var y = sum(softmax(matmul(x, x)) * tanh(x));
  const Tensor gradient = grad(y, {x})[0].value();
  char text[200];
  std::snprintf(text, sizeof text, "gradient  [[%.6g, %.6g], [%.6g, %.6g]]", gradient.at({0, 0}), gradient.at({0, 1}),
                gradient.at({1, 0}), gradient.at({1, 1}));
  CHECK(contains(explain(y), text));
}

TEST_CASE("an output that nothing used receives nothing") {
  const Var x = Var::parameter(Tensor::from({1, 2, 3}, {3}));
  const std::string told = explain(sum(split(x, {1, 2}, 0)[1]), {{"x", x}});
  CHECK(contains(told, "2  #2.0 = split(x), output 0\n"));
  CHECK(contains(told, "receives  nothing: it was not used\n"));
  CHECK(contains(told, "sends     [0, 1, 1]  to x\n"));
}

TEST_CASE("large tensors are told as shape and norm, and no line is wider than 80 columns") {
  Rng rng(5);
  const Var x = Var::parameter(rng.normal({30, 40}, 0, 1e-7)), w = Var::parameter(rng.normal({40, 2}, 0, 1));
  const Var y = sum(masked_softmax(matmul(x, w), Tensor::from_bools({true, true}, {2})));
  Vars many;
  for (int i = 0; i < 30; ++i) many.push_back(slice(w, 0, i, 2));
  const Names names = {{"a very long name that nobody would like to read in a table", x}, {"w", w}};
  for (const Var& top : {y, sum(concat(many, 0)), sum(matmul(reshape(x, {8, 150}), transpose(reshape(x, {8, 150}))))}) {
    std::istringstream lines(explain(top, names));
    for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 80, line);
  }
  CHECK(contains(explain(sum(concat(many, 0))), "and 2"));
  CHECK(contains(explain(y, names), "[40, 2], norm "));
}

TEST_CASE("a cotangent can be given, and is asked for where it is needed") {
  const Var x = Var::parameter(Tensor::from({1, 2}, {2}));
  CHECK(contains(explain(x * x, {}, {Var(Tensor::from({10, 100}, {2}))}), "gradient  [20, 400]\n"));
  CHECK_THROWS_AS(explain(x * x), std::invalid_argument);
}

TEST_CASE("leaves and constants have nothing to walk, and a long pass is cut") {
  const Var x = number(3);
  CHECK(explain(x) == "1  #1, a leaf\n   value     3\n   receives  1  to start with\n   gradient  1\n");
  CHECK(explain(detach(x)) == "a constant []: nothing flows back from it\n");
  Var y = x;
  for (int i = 0; i < 300000; ++i) y = y * 1.0;
  CHECK(contains(explain(y, {}, {{}, 2}), "   sends     1  to #3\nand 299999 more steps\n"));
  CHECK_THROWS_AS(explain(y, {}, {{}, 0}), std::invalid_argument);
}

TEST_CASE("explaining leaves nothing behind") {
  const Var x = number(3), y = tanh(x) * x;
  const Live before = live();
  explain(y);
  CHECK(live().nodes == before.nodes);
  CHECK(live().blocks == before.blocks);
}

TEST_CASE("an observer of grad sees each step once, with what the rule gave and what was sent") {
  const Var x = Var::parameter(Tensor::ones({2, 3})), w = Var::parameter(Tensor::ones({3}));
  std::vector<std::string> ops;
  const auto observe = [&](const BackwardStep& step) {
    ops.push_back(step.node.op);
    if (ops.back() != "add") return;
    CHECK(step.results[1].shape() == Shape{2, 3});
    CHECK(step.sent[1].shape() == Shape{3});
  };
  const Vars seen = grad(sum(x + w), {x, w}, {}, false, observe), plain = grad(sum(x + w), {x, w});
  CHECK(ops == std::vector<std::string>{"sum", "add", "leaf", "leaf"});
  for (std::size_t i : {0u, 1u}) CHECK(seen[i].value().to_vector() == plain[i].value().to_vector());
}
