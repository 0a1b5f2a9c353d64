#include "autograd/finite.hpp"

#include <doctest/doctest.h>

#include <thread>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/special.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// What a watch finds in f.
template <class F>
NotFinite found_in(F f) {
  try {
    const FiniteWatch watch;
    f();
  } catch (const NotFinite& found) {
    CHECK_FALSE(FiniteWatch::on());
    return found;
  }
  FAIL("the watch found nothing");
  return NotFinite("");
}

Var leaf(const std::vector<double>& values) {
  return Var::parameter(numbers(values, {static_cast<Size>(values.size())}));
}

}  // namespace

TEST_CASE("a watch stops at the first op whose value is not finite, and names op and shapes") {
  const Var x = leaf({2, 0, 1}), w = Var::parameter(Tensor::ones({2, 3}, DType::float64));
  const NotFinite found = found_in([&] { sum(exp(w * log(x))); });
  CHECK(found.op == "log");
  CHECK(found.pass == Pass::forward);
  REQUIRE(found.inputs.size() == 1);
  CHECK(found.inputs[0] == Shape{3});
  CHECK(found.output == Shape{3});
  CHECK(found.inputs_finite);
  CHECK(std::string(found.what()) == "in the forward pass, log [3] -> [3] gave inf from finite inputs");
}

TEST_CASE("a watch sees ops of two inputs, joint rules and several outputs, and constants") {
  CHECK(std::string(found_in([] {
                      leaf({1, 0}) / leaf({0});
                    }).what()) == "in the forward pass, div [2], [1] -> [2] gave NaN from finite inputs");
  CHECK(found_in([] { concat({leaf({1}), leaf({not_a_number, 1})}, 0); }).op == "concat");
  CHECK(found_in([] { split(leaf({1, not_a_number}), {1, 1}, 0); }).op == "split");
  CHECK(found_in([] { log(Var(numbers({-1}, {1}))); }).op == "log");
}

TEST_CASE("a NaN that came from outside is found where it is used first, and the message says so") {
  const NotFinite found = found_in([] { 2 * leaf({1, not_a_number}); });
  CHECK_FALSE(found.inputs_finite);
  CHECK(std::string(found.what()) == "in the forward pass, affine [2] -> [2] gave NaN; an input held NaN already");
}

TEST_CASE("infinities may go on where an input holds one, and a NaN made of them is found") {
  const Var x = leaf({-infinity, 0, 1});
  {
    const FiniteWatch watch;
    log_softmax(x);  // of a score of -inf
    check_close(softmax(x), {3}, {0, 0.26894142, 0.73105858}, 5e-9);
    check_close(logsumexp(x, {0}), {}, {1.31326169}, 5e-9);
  }
  CHECK(found_in([&] { x - x; }).op == "sub");
}

TEST_CASE("in the backward pass the op is the one whose derivative is not finite") {
  const Var x = leaf({4, 0});
  const NotFinite found = found_in([&] { grad(sum(sqrt(3 * x)), {x}); });
  CHECK(found.op == "sqrt");
  CHECK(found.pass == Pass::backward);
  CHECK(found.output == Shape{2});
  CHECK(std::string(found.what()) ==
        "in the backward pass, inf is the derivative with respect to input 0 of sqrt [2] -> [2]");
  CHECK(found_in([&] { grad(sum(sqrt(x)), {x}, {}, true); }).op == "sqrt");
}

TEST_CASE("ops inside a rule do not count, only what it returns") {
  const Var a = leaf({0, 2}), b = leaf({1, 1});
  const FiniteWatch watch;
  const Vars gradients = grad(sum(pow(a, b)), {a, b});  // of which log a, where it is -inf, has no part
  check_close(gradients[1], {2}, {0, 1.38629436}, 5e-9);
}

TEST_CASE("cotangents that are not finite when they come in, or when they are added up, are found") {
  const Var x = leaf({1, 2});
  const NotFinite came_in = found_in([&] { grad(2 * x, {x}, Var(numbers({not_a_number, 1}, {2}))); });
  CHECK(came_in.op == "affine");
  CHECK(came_in.pass == Pass::backward);
  const Var small = leaf({1e-9});
  const NotFinite added = found_in([&] { grad(1e308 * small + 1e308 * small, {small}); });
  CHECK(added.op == "leaf");
  CHECK(added.pass == Pass::backward);
}

TEST_CASE("without a watch nothing is looked at") {
  CHECK_FALSE(FiniteWatch::on());
  const Var x = leaf({-1, 0});
  CHECK(grad(sum(log(x)), {x}).size() == 1);
}

TEST_CASE("watches nest, end with their scope and by exceptions, and hold for one thread") {
  {
    const FiniteWatch outer;
    {
      const FiniteWatch off(false);
      CHECK_FALSE(FiniteWatch::on());
      log(leaf({-1}));
    }
    CHECK(FiniteWatch::on());
    CHECK_THROWS_AS(log(leaf({-1})), NotFinite);
    CHECK_THROWS_AS(grad(leaf({1, 2}), {leaf({1})}), std::invalid_argument);  // grad switches it off inside
    CHECK(FiniteWatch::on());
    bool on_elsewhere = true;
    std::thread([&] { on_elsewhere = FiniteWatch::on(); }).join();
    CHECK_FALSE(on_elsewhere);
  }
  CHECK_FALSE(FiniteWatch::on());
}

TEST_CASE("a watch leaves nothing alive behind, and numbers are the same under it") {
  const Var x = leaf({1, 2, 3});
  const Vars plain = grad(sum(tanh(x) * x), {x});
  const Counts before;
  {
    const FiniteWatch watch;
    CHECK(same_bits(grad(sum(tanh(x) * x), {x})[0], plain[0]));
  }
  found_in([&] { grad(sum(sqrt(x - x)), {x}); });
  check_nothing_left(before);
}

TEST_CASE("integers and masks are always finite, and so is nothing") {
  CHECK(all_finite(Tensor::from_ints({1, 2}, {2})));
  CHECK(all_finite(Tensor::from_bools({true}, {1})));
  CHECK(all_finite(Tensor::zeros({0})));
  CHECK(all_finite(Tensor::full({3}, 3e38)));
  CHECK_FALSE(all_finite(numbers({1, not_a_number}, {2})));
  CHECK_FALSE(all_finite(numbers({1, -infinity}, {2})));
}
