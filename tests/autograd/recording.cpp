// The scope in which nothing, or again something, is recorded.
#include <doctest/doctest.h>

#include <stdexcept>
#include <thread>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

const Var x = Var::parameter(numbers({3}, {}));

}  // namespace

TEST_CASE("nothing is recorded in the scope, and everything after it") {
  CHECK(recording());
  {
    const Recording off(false);
    const Counts before;
    const Var y = x * x;
    CHECK(y.item() == 9);
    CHECK_FALSE(y.needs_grad());
    CHECK(Counts().nodes == before.nodes);
  }
  CHECK(grad(x * x, {x})[0].item() == 6);
}

TEST_CASE("a scope that is left by an exception ends all the same (O-05)") {
  try {
    const Recording off(false);
    throw std::runtime_error("left early");
  } catch (const std::runtime_error&) {
  }
  CHECK(recording());
  CHECK(grad(x * x, {x})[0].item() == 6);
}

TEST_CASE("scopes nest, and each restores what it found (O-05)") {
  {
    const Recording off(false);
    {
      const Recording on(true);
      CHECK((x * x).needs_grad());
    }
    CHECK_FALSE(recording());
    CHECK_FALSE((x * x).needs_grad());
    { const Recording off_again(false); }
    CHECK_FALSE(recording());
  }
  CHECK(recording());
}

TEST_CASE("the mode belongs to a thread (O-05)") {
  const Recording off(false);
  bool other_thread_records = false;
  std::thread([&] { other_thread_records = recording() && (x * x).needs_grad(); }).join();
  CHECK(other_thread_records);
  CHECK_FALSE(recording());
}

TEST_CASE("a history made before the scope can be differentiated in it, with create_graph too") {
  const Var y = x * x * x;
  const Recording off(false);
  CHECK(grad(y, {x})[0].item() == 27);
  const Var g = grad(y, {x}, {}, true)[0];
  CHECK(g.needs_grad());
  CHECK_FALSE(recording());
  CHECK(grad(g, {x})[0].item() == 18);
}
