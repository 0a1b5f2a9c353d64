#include <doctest/doctest.h>

#include <algorithm>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/op_table.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

const Tensor none = Tensor::from_ints({}, {0});
const Tensor ids = Tensor::from_ints({3, 0, 3, 1, 3, 0}, {2, 3});      // some twice, 2 never
const Tensor columns = Tensor::from_ints({1, 1, 0, 3, 2, 2}, {2, 3});  // for x [2, 4]
const Tensor upside = Tensor::from_ints({1, 0, 1, 1, 1, 0}, {3, 2});   // for x [2, 2] along axis 0

Size id(const Tensor& of, const Sizes& index) { return static_cast<Size>(of.at(index)); }

// x plus every element of src at the place that place(index in src) names.
Numbers added(Numbers x, const Numbers& src, const std::function<Sizes(const Sizes&)>& place) {
  build(src.shape, [&](const Sizes& i) {
    const Sizes to = place(i);
    Size at = 0;
    for (Size axis = 0; axis < to.size(); ++axis) at = at * x.shape[axis] + to[axis];
    x.values[static_cast<std::size_t>(at)] += src.at(i);
    return 0.0;
  });
  return x;
}

std::vector<double> largest_first(std::vector<double> line) {
  std::sort(line.rbegin(), line.rend());
  return line;
}

const std::vector<Row> rows = {
    {"take(Var, Size, Tensor)",
     "",
     [](const Vars& x) { return take(x[0], 1, ids); },
     [](const std::vector<Numbers>& x) {
       return build({2, 2, 3, 3}, [&](const Sizes& i) { return x[0].at({i[0], id(ids, {i[1], i[2]}), i[3]}); });
     },
     {{{2, 4, 3}}}},
    {"take(Var, Size, Tensor)",
     "nothing",
     [](const Vars& x) { return take(x[0], -1, none); },
     [](const std::vector<Numbers>&) {
       return Numbers{{2, 0}, {}};
     },
     {{{2, 3}}}},
    {"embedding(Var, Tensor)",
     "",
     [](const Vars& x) { return embedding(x[0], ids); },
     [](const std::vector<Numbers>& x) {
       return build({2, 3, 5}, [&](const Sizes& i) { return x[0].at({id(ids, {i[0], i[1]}), i[2]}); });
     },
     {{{4, 5}}}},
    {"gather(Var, Size, Tensor)",
     "",
     [](const Vars& x) { return gather(x[0], 1, columns); },
     [](const std::vector<Numbers>& x) {
       return build({2, 3}, [&](const Sizes& i) { return x[0].at({i[0], id(columns, i)}); });
     },
     {{{2, 4}}}},
    {"gather(Var, Size, Tensor)",
     "the first axis",
     [](const Vars& x) { return gather(x[0], -2, upside); },
     [](const std::vector<Numbers>& x) {
       return build({3, 2}, [&](const Sizes& i) { return x[0].at({id(upside, i), i[1]}); });
     },
     {{{2, 2}}}},
    {"index_add(Var, Size, Tensor, Var)",
     "",
     [](const Vars& x) { return index_add(x[0], 1, ids, x[1]); },
     [](const std::vector<Numbers>& x) {
       return added(x[0], x[1], [](const Sizes& i) { return Sizes{i[0], id(ids, {i[1], i[2]}), i[3]}; });
     },
     {{{2, 4, 3}}, {{2, 2, 3, 3}}}},
    {"index_add(Var, Size, Tensor, Var)",
     "nothing",
     [](const Vars& x) { return index_add(x[0], 0, none, x[1]); },
     [](const std::vector<Numbers>& x) { return x[0]; },
     {{{2, 3}}, {{0, 3}}}},
    {"scatter_add(Var, Size, Tensor, Var)",
     "",
     [](const Vars& x) { return scatter_add(x[0], 1, columns, x[1]); },
     [](const std::vector<Numbers>& x) {
       return added(x[0], x[1], [](const Sizes& i) { return Sizes{i[0], id(columns, i)}; });
     },
     {{{2, 4}}, {{2, 3}}}},
    {"scatter_add(Var, Size, Tensor, Var)",
     "the first axis",
     [](const Vars& x) { return scatter_add(x[0], 0, upside, x[1]); },
     [](const std::vector<Numbers>& x) {
       return added(x[0], x[1], [](const Sizes& i) { return Sizes{id(upside, i), i[1]}; });
     },
     {{{2, 2}}, {{3, 2}}}},
    {"topk(Var, Size, Size)",
     "all of them",
     [](const Vars& x) { return topk(x[0], 5).first; },
     along(-1, largest_first),
     {{{3, 5}, apart()}}},
    {"topk(Var, Size, Size)",
     "two along the first axis",
     [](const Vars& x) { return topk(x[0], 2, 0).first; },
     [](const std::vector<Numbers>& x) {
       const Numbers sorted = along(0, largest_first)(x);
       return build({2, 3}, [&](const Sizes& i) { return sorted.at(i); });
     },
     {{{5, 3}, apart()}}},
};

}  // namespace

TEST_CASE("every row of ops/index.cpp has the right value and derivatives") { check_rows(rows); }

TEST_CASE("every op of ops/index.cpp has a row, but for those without derivative, which are tested below") {
  check_complete("ops/index.cpp", rows,
                 {"argmax(Var, Size, bool)", "argsort(Var, Size, bool)", "one_hot(Tensor, Size, DType)"});
}

TEST_CASE("argmax, argsort and the places of topk are int64 and the first of equal elements wins") {
  const Var x = Var::parameter(numbers({2, 7, 7, -1, 0, 5, 5, 5}, {2, 4}));
  check_close(argmax(x, -1), {2}, {1, 1}, 0);
  check_close(argmax(x, 0, true), {1, 4}, {0, 0, 0, 1}, 0);
  check_close(argsort(x, 1), {2, 4}, {3, 0, 1, 2, 0, 1, 2, 3}, 0);
  check_close(argsort(x, 1, true), {2, 4}, {1, 2, 0, 3, 1, 2, 3, 0}, 0);
  check_close(argsort(x, 0), {2, 4}, {1, 1, 1, 0, 0, 0, 0, 1}, 0);
  const auto [values, places] = topk(x, 2);
  check_close(values, {2, 2}, {7, 7, 5, 5}, 0);
  check_close(places, {2, 2}, {1, 2, 1, 2}, 0);
  for (const Tensor& indices : {argmax(x, 0), argsort(x, 0), places}) CHECK(indices.dtype() == DType::int64);
}

TEST_CASE("the derivative of topk goes to the elements that were chosen") {
  const Var x = Var::parameter(numbers({1, 4, 2, 3}, {4}));
  check_close(grad(topk(x, 2).first, {x}, numbers({10, 20}, {2}))[0], {4}, {0, 10, 0, 20}, 0);
  check_close(grad(topk(x, 0).first, {x}, numbers({}, {0}))[0], {4}, {0, 0, 0, 0}, 0);
}

TEST_CASE("one_hot sets one element of a new last axis") {
  const Tensor hot = one_hot(Tensor::from_ints({2, 0}, {2, 1}), 3);
  CHECK(hot.dtype() == DType::float32);
  check_close(hot, {2, 1, 3}, {0, 0, 1, 1, 0, 0}, 0);
  CHECK(one_hot(Tensor::from_ints({1}, {1}), 2, DType::boolean).dtype() == DType::boolean);
  check_close(one_hot(none, 3), {0, 3}, {}, 0);
}

TEST_CASE("a row that is read twice gets both cotangents (O-37)") {
  const Var table = Var::parameter(numbers({7, 8}, {2, 1}));
  const Var rows_read = embedding(table, Tensor::from_ints({0, 0}, {2}));
  check_close(grad(rows_read, {table}, numbers({0.2, 0.3}, {2, 1}))[0], {2, 1}, {0.5, 0}, 1e-15);
  const Var x = Var::parameter(numbers({1, 2, 3}, {1, 3}));
  const Var twice = gather(x, 1, Tensor::from_ints({1, 1}, {1, 2}));
  check_close(grad(twice, {x}, numbers({0.2, 0.3}, {1, 2}))[0], {1, 3}, {0, 0.5, 0}, 1e-15);
  const Var sum_of_both = index_add(numbers({1, 1}, {2}), 0, Tensor::from_ints({1, 1}, {2}), numbers({0.2, 0.3}, {2}));
  check_close(sum_of_both, {2}, {1, 1.5}, 1e-15);
}

TEST_CASE("an index outside, or of another type, is named with the size it must stay below") {
  const Var x(Tensor::ones({2, 4}));
  const Tensor outside = Tensor::from_ints({0, 4}, {2}), negative = Tensor::from_ints({-1, 0}, {2});
  check_throws_with([&] { take(x, 1, outside); }, {"take", "4", "[2]", "0 .. 3"});
  check_throws_with([&] { take(x, 1, negative); }, {"take", "-1", "0 .. 3"});
  check_throws_with([&] { take(x, 1, Tensor::ones({2})); }, {"take", "int64", "float32", "[2]"});
  check_throws_with([&] { take(x, 2, negative); }, {"take", "axis 2"});
  check_throws_with([&] { embedding(x, outside); }, {"embedding", "4", "0 .. 1"});
  check_throws_with([&] { embedding(Var(Tensor::ones({2})), ids); }, {"embedding", "[2]"});
  check_throws_with([&] { gather(x, 1, outside); }, {"gather", "[2]", "[2, 4]"});
  check_throws_with([&] { gather(x, 1, Tensor::from_ints({4, 0}, {2, 1})); }, {"gather", "4", "0 .. 3"});
  check_throws_with([&] { gather(x, 1, columns.view({3, 2}, {2, 1}, 0)); }, {"gather", "[3, 2]", "[2, 4]"});
  check_throws_with([&] { index_add(x, 1, ids, x); }, {"index_add", "[2, 4]", "[2, 3]"});
  check_throws_with([&] { scatter_add(x, 1, columns, x); }, {"scatter_add", "[2, 4]", "[2, 3]"});
  check_throws_with([&] { topk(x, 5); }, {"topk", "5", "[2, 4]"});
  check_throws_with([&] { argmax(Var(Tensor::ones({2, 0})), 1); }, {"argmax", "[2, 0]"});
  check_throws_with([&] { one_hot(outside, 4); }, {"one_hot", "4", "0 .. 3"});
}
