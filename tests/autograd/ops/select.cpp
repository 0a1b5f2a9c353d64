#include <doctest/doctest.h>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/op_table.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

const Tensor chequered = Tensor::from_bools({true, false, true, false, false, true}, {2, 3});
const Tensor row_mask = Tensor::from_bools({true, false, true}, {3});

Oracle chosen(const Tensor& condition) {
  return [condition](const std::vector<Numbers>& x) {
    const auto second_if_false = [&](const Sizes& i) {
      const Numbers& from = condition.at(condition.rank() == 1 ? Sizes{i[1]} : i) != 0 ? x[0] : x[1];
      if (from.shape.size() == 0) return from.at({});
      if (from.shape.size() == 1) return from.at({i[1]});
      return from.at({from.shape[0] == 1 ? 0 : i[0], from.shape[1] == 1 ? 0 : i[1]});
    };
    return build({2, 3}, second_if_false);
  };
}

Var by_chequered(const Vars& x) { return where(chequered, x[0], x[1]); }
Var by_row(const Vars& x) { return where(row_mask, x[0], x[1]); }

const std::vector<Row> rows = {
    {"where(Tensor, Var, Var)", "", by_chequered, chosen(chequered), {{{2, 3}}, {{2, 3}}}},
    {"where(Tensor, Var, Var)", "a condition per column", by_row, chosen(row_mask), {{{2, 3}}, {{2, 3}}}},
    {"where(Tensor, Var, Var)", "a number first", by_chequered, chosen(chequered), {{{}}, {{2, 3}}}},
    {"where(Tensor, Var, Var)", "a row and a column", by_row, chosen(row_mask), {{{3}}, {{2, 1}}}},
    {"where(Tensor, Var, Var)", "a condition wider than both", by_chequered, chosen(chequered), {{{3}}, {{}}}},
    {"where(Tensor, Var, Var)",
     "an empty axis",
     [](const Vars& x) {
       return where(Tensor::ones({2, 1}, DType::boolean), x[0], x[1]);
     },
     [](const std::vector<Numbers>& x) { return x[0]; },
     {{{2, 0}}, {{}}}},
};

}  // namespace

TEST_CASE("every row of ops/select.cpp has the right value and derivatives") { check_rows(rows); }

TEST_CASE("every op of ops/select.cpp has a row, but for casts and comparisons, which are tested below") {
  check_complete("ops/select.cpp", rows,
                 {"cast(Var, DType)", "operator<(Var, Var)", "operator<=(Var, Var)", "operator>(Var, Var)",
                  "operator>=(Var, Var)", "operator<(Var, double)", "operator<=(Var, double)", "operator>(Var, double)",
                  "operator>=(Var, double)", "equal(Var, Var)", "not_equal(Var, Var)"});
}

TEST_CASE("a cast to float32 and its derivative, which comes back as float64") {
  const Var x = Var::parameter(numbers({1, 1.0 / 3, -2e-9}, {3}));
  const Var y = cast(x, DType::float32);
  CHECK(y.dtype() == DType::float32);
  check_close(y, {3}, {1, 1.0f / 3, -2e-9f}, 0);
  const Var g = grad(y, {x}, Var(Tensor::from({0.1, 2, 3}, {3})))[0];
  CHECK(g.dtype() == DType::float64);
  check_close(g, {3}, {0.1f, 2, 3}, 0);

  const Var wide = Var::parameter(Tensor::from({0.1, 2}, {2}));
  const Var back = grad(sum(cast(wide, DType::float64) * 0.5), {wide})[0];
  CHECK(back.dtype() == DType::float32);
  check_close(back, {2}, {0.5, 0.5}, 0);
}

TEST_CASE("the derivative of a cast can be differentiated again") {
  const Var x = Var::parameter(Tensor::from({2, 3}, {2}));
  const Var y = cast(x, DType::float64);
  const Var first = grad(sum(y * y * y), {x}, {}, true)[0];
  check_close(grad(sum(first), {x})[0], {2}, {12, 18}, 1e-6);
}

TEST_CASE("a cast to the same dtype is the Var itself, and no derivative flows from or to int64 and bool") {
  const Var x = Var::parameter(numbers({1.9, -1.9, 0}, {3}));
  CHECK((cast(x, DType::float64).node() == x.node()));
  const Var whole = cast(x, DType::int64), truth = cast(x, DType::boolean);
  CHECK_FALSE(whole.needs_grad());
  CHECK_FALSE(truth.needs_grad());
  check_close(whole, {3}, {1, -1, 0}, 0);
  check_close(truth, {3}, {1, 1, 0}, 0);
  CHECK_FALSE(cast(whole, DType::float32).needs_grad());
}

TEST_CASE("comparisons give bool tensors without a history") {
  const Var a = Var::parameter(numbers({1, 2, 3}, {3})), b = Var::parameter(numbers({2, 2, 2}, {3}));
  check_close(a < b, {3}, {1, 0, 0}, 0);
  check_close(a <= b, {3}, {1, 1, 0}, 0);
  check_close(a > b, {3}, {0, 0, 1}, 0);
  check_close(a >= b, {3}, {0, 1, 1}, 0);
  check_close(a < 2.0, {3}, {1, 0, 0}, 0);
  check_close(a <= 2.0, {3}, {1, 1, 0}, 0);
  check_close(a > 2.0, {3}, {0, 0, 1}, 0);
  check_close(a >= 2.0, {3}, {0, 1, 1}, 0);
  check_close(equal(a, b), {3}, {0, 1, 0}, 0);
  check_close(not_equal(a, b), {3}, {1, 0, 1}, 0);
  CHECK((a < b).dtype() == DType::boolean);
}

TEST_CASE("integers and booleans are compared with a number that is none of theirs") {
  const Var ids = Tensor::from_ints({-1, 0, 1}, {3}), flags = Tensor::from_bools({false, true}, {2});
  check_close(ids < 0.5, {3}, {1, 1, 0}, 0);
  check_close(ids <= -0.5, {3}, {1, 0, 0}, 0);
  check_close(ids > -0.5, {3}, {0, 1, 1}, 0);
  check_close(ids >= 0.5, {3}, {0, 0, 1}, 0);
  check_close(ids < 1e300, {3}, {1, 1, 1}, 0);
  check_close(flags > 0.5, {2}, {0, 1}, 0);
  check_close(flags < 2.0, {2}, {1, 1}, 0);
  const Var large = Tensor::from_ints({(std::int64_t{1} << 53) + 1}, {1});  // no float64
  check_close(large > 0x1p53, {1}, {1}, 0);
}

TEST_CASE("where gives its condition no derivative and refuses one that is not bool") {
  check_throws_with([] { where(Tensor::ones({2}), Var(Tensor::ones({2})), Var(Tensor::ones({2}))); },
                    {"where", "float32", "[2]", "bool"});
  check_throws_with([] { where(chequered, Var(Tensor::ones({2})), Var(Tensor::ones({3}))); }, {"where", "[2]", "[3]"});
}
