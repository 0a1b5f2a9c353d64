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

Var product(const Vars& x) { return matmul(x[0], x[1]); }

// Batch axes in front of the matrix, broadcast to the longer list.
Shape batch_of(const Shape& a, const Shape& b) {
  Shape batch;
  for (Size back = std::max(a.size(), b.size()); back > 2; --back) {
    const Size in_a = back <= a.size() ? a[a.size() - back] : 1, in_b = back <= b.size() ? b[b.size() - back] : 1;
    batch.push_back(in_a == 1 ? in_b : in_a);
  }
  return batch;
}

double element(const Numbers& x, const Sizes& index, Size row, Size column) {
  Sizes own;
  const Size lead = index.size() - x.shape.size();
  for (Size axis = 0; axis + 2 < x.shape.size(); ++axis) own.push_back(x.shape[axis] == 1 ? 0 : index[lead + axis]);
  own.push_back(row);
  own.push_back(column);
  return x.at(own);
}

Numbers by_loops(const std::vector<Numbers>& inputs) {
  Numbers a = inputs[0], b = inputs[1];
  const bool row = a.shape.size() == 1, column = b.shape.size() == 1;
  if (row) a.shape.insert(0, 1);
  if (column) b.shape.push_back(1);
  Shape shape = batch_of(a.shape, b.shape);
  shape.push_back(a.shape[a.shape.size() - 2]);
  shape.push_back(b.shape.back());
  Numbers out = build(shape, [&](const Sizes& i) {
    double sum_of_products = 0;
    for (Size k = 0; k < a.shape.back(); ++k) {
      sum_of_products += element(a, i, i[i.size() - 2], k) * element(b, i, k, i.back());
    }
    return sum_of_products;
  });
  if (row) out.shape.erase(out.shape.size() - 2);
  if (column) out.shape.erase(out.shape.size() - 1);
  return out;
}

Var linear_of(const Vars& x) { return linear(x[0], x[1], x[2]); }

Numbers linear_by_loops(const std::vector<Numbers>& x) {
  const Numbers y = by_loops({x[0], x[1]});
  return build(y.shape, [&](const Sizes& i) { return y.at(i) + x[2].at({i.back()}); });
}

const std::string op = "matmul(Var, Var)", with_bias = "linear(Var, Var, Var)";

const std::vector<Row> rows = {
    {op, "", product, by_loops, {{{2, 3}}, {{3, 4}}}},
    {op, "square", product, by_loops, {{{3, 3}}, {{3, 3}}}},
    {op, "a batch", product, by_loops, {{{5, 2, 3}}, {{5, 3, 4}}}},
    {op, "a batch and one matrix for all", product, by_loops, {{{5, 2, 3}}, {{3, 4}}}},
    {op, "one matrix and a batch", product, by_loops, {{{2, 3}}, {{5, 3, 4}}}},
    {op, "both batches widened", product, by_loops, {{{2, 1, 2, 3}}, {{4, 3, 2}}}},
    {op, "a batch of size 1", product, by_loops, {{{1, 2, 3}}, {{2, 3, 4}}}},
    {op, "two batch axes and one matrix for all", product, by_loops, {{{2, 3, 2, 5}}, {{5, 4}}}},
    {op, "a row and a matrix", product, by_loops, {{{3}}, {{3, 4}}}},
    {op, "a matrix and a column", product, by_loops, {{{2, 3}}, {{3}}}},
    {op, "a row and a column", product, by_loops, {{{5}}, {{5}}}},
    {op, "a row and a batch", product, by_loops, {{{3}}, {{2, 3, 4}}}},
    {op, "a batch and a column", product, by_loops, {{{2, 4, 3}}, {{3}}}},
    {op, "an outer product", product, by_loops, {{{3, 1}}, {{1, 4}}}},
    {op, "an inner product", product, by_loops, {{{1, 5}}, {{5, 1}}}},
    {op, "a column of a batch", product, by_loops, {{{2, 3, 4}}, {{2, 4, 1}}}},
    {op, "nothing to sum (O-12)", product, by_loops, {{{2, 0}}, {{0, 3}}}},
    {op, "no rows", product, by_loops, {{{0, 3}}, {{3, 2}}}},
    {op, "no columns", product, by_loops, {{{2, 3}}, {{3, 0}}}},
    {op, "an empty batch", product, by_loops, {{{0, 2, 3}}, {{3, 4}}}},
    {op,
     "the transpose of the other",
     [](const Vars& x) { return matmul(x[0], transpose(x[0])); },
     [](const std::vector<Numbers>& x) {
       return by_loops({x[0], build({3, 2}, [&](const Sizes& i) { return x[0].at({i[1], i[0]}); })});
     },
     {{{2, 3}}}},
    {with_bias, "", linear_of, linear_by_loops, {{{2, 3}}, {{3, 4}}, {{4}}}},
    {with_bias, "two leading axes", linear_of, linear_by_loops, {{{5, 2, 3}}, {{3, 4}}, {{4}}}},
    {with_bias, "one row, which is the bias's shape", linear_of, linear_by_loops, {{{1, 3}}, {{3, 4}}, {{4}}}},
    {with_bias, "one column", linear_of, linear_by_loops, {{{5, 3}}, {{3, 1}}, {{1}}}},
    {with_bias, "no rows", linear_of, linear_by_loops, {{{0, 3}}, {{3, 2}}, {{2}}}},
    {with_bias, "nothing to sum (O-12)", linear_of, linear_by_loops, {{{2, 0}}, {{0, 3}}, {{3}}}},
    {with_bias, "a row without other axes", linear_of, linear_by_loops, {{{3}}, {{3, 4}}, {{4}}}},
};

}  // namespace

TEST_CASE("every row of ops/matmul.cpp has the right value and derivatives") { check_rows(rows); }

TEST_CASE("every op of ops/matmul.cpp has a row") { check_complete("ops/matmul.cpp", rows); }

TEST_CASE("linear names the shapes that do not fit") {
  const auto ones = [](const Shape& shape) { return Var(Tensor::ones(shape)); };
  check_throws_with([&] { linear(ones({2, 3}), ones({4, 5}), ones({5})); }, {"linear", "[2, 3]", "[4, 5]", "[5]"});
  check_throws_with([&] { linear(ones({2, 3}), ones({3, 5}), ones({1})); }, {"linear", "[2, 3]", "[3, 5]", "[1]"});
  check_throws_with([&] { linear(ones({2, 3}), ones({3, 5}), ones({2, 5})); }, {"linear", "[3, 5]", "[2, 5]"});
  check_throws_with([&] { linear(ones({}), ones({3, 5}), ones({5})); }, {"linear", "[]", "[3, 5]"});
}

TEST_CASE("vectors that do not fit are named with the shapes they came in") {
  const auto ones = [](const Shape& shape) { return Var(Tensor::ones(shape)); };
  check_throws_with([&] { matmul(ones({3}), ones({4, 5})); }, {"matmul", "[3] x [4, 5]"});
  check_throws_with([&] { matmul(ones({4, 5}), ones({4})); }, {"matmul", "[4, 5] x [4]"});
  check_throws_with([&] { matmul(ones({4}), ones({5})); }, {"matmul", "[4] x [5]"});
  check_throws_with([&] { matmul(ones({2, 4}), ones({2, 5, 3})); }, {"matmul", "[2, 4] x [2, 5, 3]"});
  check_throws_with([&] { matmul(ones({}), ones({2, 2})); }, {"matmul", "[] x [2, 2]"});
  check_throws_with([&] { matmul(ones({2}), ones({})); }, {"matmul", "[2] x []"});
  for (const Shape& b : {Shape{4, 5}, Shape{4}}) {  // which are rearranged before they are multiplied
    check_throws_with(
        [&] {
          matmul(ones({2, 3, 4}), Var(Tensor::ones(b, DType::float64)));
        },
        {"matmul", "float64", "[2, 3, 4] and " + text(b)});
    check_throws_with([&] { matmul(Var(Tensor::ones({2, 3, 4}, DType::int64)), ones(b)); }, {"matmul", "[2, 3, 4]"});
  }
}

TEST_CASE("a matrix without batch axis gets the sum of the batch, and a vector its own shape (O-07)") {
  const Var a = Var::parameter(numbers({1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2}));
  const Var b = Var::parameter(numbers({9, 10, 11, 12}, {2, 2}));
  check_close(grad(sum(matmul(a, b)), {b})[0], {2, 2}, {16, 16, 20, 20}, 0);

  const Var m = Var::parameter(numbers({1, 2, 3, 4}, {2, 2})), v = Var::parameter(numbers({5, 6}, {2}));
  const Var y = matmul(m, v);
  check_close(y, {2}, {17, 39}, 0);
  const Vars g = grad(y, {m, v}, numbers({1, -2}, {2}));
  check_close(g[0], {2, 2}, {5, 6, -10, -12}, 0);
  check_close(g[1], {2}, {-5, -6}, 0);
}
