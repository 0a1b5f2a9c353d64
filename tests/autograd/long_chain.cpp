// Long histories: neither the backward pass nor the destructors may use the stack for them (O-03).
#include <doctest/doctest.h>
#include <pthread.h>

#include <functional>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// Runs f on a thread with a stack of 1 MiB, an eighth of what a program usually has. A frame per node would need more.
void on_small_stack(std::function<void()> f) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  REQUIRE(pthread_attr_setstacksize(&attributes, std::size_t{1} << 20) == 0);
  pthread_t thread;
  const auto run = [](void* context) -> void* {
    (*static_cast<std::function<void()>*>(context))();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, run, &f) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

constexpr int length = 300000;

Var chain(const Var& x) {
  const Var c = numbers({1 + 1e-6}, {});
  Var y = x;
  for (int i = 0; i < length; ++i) y = y * c;
  return y;
}

}  // namespace

TEST_CASE("a chain of 300000 nodes is built, differentiated and freed (O-03)") {
  const Counts before;
  on_small_stack([] {
    const Var x = Var::parameter(numbers({1}, {}));
    const Var y = chain(x);
    CHECK(grad(y, {x})[0].item() == y.item());
    CHECK(live().nodes >= length);
  });
  check_nothing_left(before);
}

TEST_CASE("a chain of 300000 nodes that is handed over, or never differentiated, is freed too (O-03)") {
  const Counts before;
  on_small_stack([] {
    const Var x = Var::parameter(numbers({1}, {}));
    Var y = chain(x);
    const double value = y.item();
    CHECK(grad(std::move(y), {x})[0].item() == value);
  });
  on_small_stack([] { chain(Var::parameter(numbers({1}, {}))); });
  check_nothing_left(before);
}

TEST_CASE("so is a long sum of losses, and the history of its gradient (O-03)") {
  const Counts before;
  on_small_stack([] {
    const Var x = Var::parameter(numbers({2}, {}));
    Var total = x * x;
    for (int i = 1; i < 100000; ++i) total = total + x * x;
    const Var g = grad(total, {x}, {}, true)[0];
    CHECK(g.item() == 400000);
    CHECK(grad(g, {x})[0].item() == 200000);
  });
  check_nothing_left(before);
}

TEST_CASE("so is a recurrence through ops with several outputs (O-03)") {
  const Counts before;
  on_small_stack([] {
    const Var x = Var::parameter(numbers({1, 0}, {2}));
    Var state = x;
    for (int i = 0; i < 50000; ++i) {
      const Vars parts = unstack(state, 0);
      state = stack({parts[1], parts[0]}, 0);
    }
    check_close(grad(state, {x}, numbers({3, 4}, {2}))[0], {2}, {3, 4}, 0);
  });
  check_nothing_left(before);
}
