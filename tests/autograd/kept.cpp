#include "autograd/kept.hpp"

#include <doctest/doctest.h>

#include "autograd/checkpoint.hpp"
#include "autograd/ops.hpp"
#include "tensor/live.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr Size n = 1024, number = 8;  // n float64 fill their block to the last byte

Var leaf() { return Var::parameter(random({n}, DType::float64, 1)); }

Size bytes_of(const std::string& op, const Var& y) {
  for (const Kept& kept : kept_by_op(y)) {
    if (kept.op == op) return kept.bytes;
  }
  return -1;
}

}  // namespace

TEST_CASE("an op whose rule reads its output keeps it, one whose rule reads nothing keeps nothing") {
  const Var x = leaf();
  const Var y = exp(x) + x;
  CHECK(bytes_of("exp", y) == n * number);
  CHECK(bytes_of("add", y) == 0);
  CHECK(kept_bytes(y) == n * number);
}

TEST_CASE("what belongs to a leaf does not count") {
  const Var x = leaf();
  CHECK(kept_bytes(sin(x)) == 0);
  CHECK(kept_bytes(x) == 0);
  CHECK(kept_bytes(Var(x.value())) == 0);
  CHECK(kept_by_op(x).empty());
}

TEST_CASE("a block that several nodes keep counts once, for the oldest") {
  const Var x = leaf(), e = exp(x);
  const Var y = sin(e) * cos(e);  // sin and cos read what exp has already kept; mul keeps their results
  CHECK(bytes_of("exp", y) == n * number);
  CHECK(bytes_of("sin", y) == 0);
  CHECK(bytes_of("mul", y) == 2 * n * number);
}

TEST_CASE("a narrow view keeps its whole block") {
  const Var x = leaf(), e = 2.0 * x;
  CHECK(kept_bytes(sin(slice(e, 0, 0, 1))) == n * number);
}

TEST_CASE("what is counted is what goes when the history goes") {
  const Var x = leaf();
  Var y = sum(tanh(exp(sin(cos(x))) * 0.1) * sigmoid(x));
  const std::ptrdiff_t before = live().bytes, own = y.value().block_bytes();
  const Size counted = kept_bytes(y);
  y = Var();
  CHECK(before - live().bytes == counted + own);
}

TEST_CASE("a checkpoint keeps its inputs alone") {
  const Var x = leaf();
  const auto f = [](const Vars& xs) { return tanh(exp(sin(xs[0]))); };
  CHECK(kept_bytes(checkpoint(f, {x})) == 0);
  CHECK(kept_bytes(checkpoint(f, {2.0 * x})) == n * number);
  CHECK(kept_bytes(f({2.0 * x})) == 3 * n * number);
}

TEST_CASE("the bytes of one op are those of its line in the list, and 0 where it has none") {
  const std::vector<Kept> kept = kept_by_op(exp(leaf()) + 1.0);
  CHECK(kept_bytes(kept, "exp") == n * number);
  CHECK(kept_bytes(kept, "tanh") == 0);
}

TEST_CASE("the ops with the most bytes come first") {
  const Var x = leaf();
  const std::vector<Kept> kept = kept_by_op(exp(sin(exp(x) + 1.0)));
  REQUIRE(kept.size() == 3);
  CHECK(kept[0].op == "exp");
  CHECK(kept[0].nodes == 2);
  CHECK(kept[0].bytes == 2 * n * number);
}
