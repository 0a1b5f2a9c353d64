#include <doctest/doctest.h>

#include "autograd/ops.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/op_table.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// The same numbers in the same order.
Oracle as(const Shape& shape) {
  return [=](const std::vector<Numbers>& x) { return Numbers{shape, x[0].values}; };
}

// Element i of the result is the element of x at place(i).
Oracle from(const Shape& shape, Sizes (*place)(const Sizes&)) {
  return [=](const std::vector<Numbers>& x) { return build(shape, [&](const Sizes& i) { return x[0].at(place(i)); }); };
}

std::function<Var(const Vars&)> reshaped(const Shape& shape) {
  return [=](const Vars& x) { return reshape(x[0], shape); };
}
std::function<Var(const Vars&)> widened(const Shape& shape) {
  return [=](const Vars& x) { return broadcast_to(x[0], shape); };
}
std::function<Var(const Vars&)> sliced(Size axis, Size start, Size count, Size step) {
  return [=](const Vars& x) { return slice(x[0], axis, start, count, step); };
}
std::function<Var(const Vars&)> rolled(Size shift, Size axis) {
  return [=](const Vars& x) { return roll(x[0], shift, axis); };
}
std::function<Var(const Vars&)> permuted(const Axes& order) {
  return [=](const Vars& x) { return permute(x[0], order); };
}

const std::string slice_op = "slice(Var, Size, Size, Size, Size)";

const std::vector<Row> rows = {
    {"reshape(Var, Shape)", "", reshaped({4, 6}), as({4, 6}), {{{2, 3, 4}}}},
    {"reshape(Var, Shape)", "one size left open", reshaped({-1, 8}), as({3, 8}), {{{2, 3, 4}}}},
    {"reshape(Var, Shape)", "to a number", reshaped({}), as({}), {{{1, 1}}}},
    {"reshape(Var, Shape)", "from a number", reshaped({1, 1}), as({1, 1}), {{{}}}},
    {"reshape(Var, Shape)", "nothing", reshaped({3, 0, 2}), as({3, 0, 2}), {{{0, 4}}}},
    {"reshape(Var, Shape)",
     "after a transposition",
     [](const Vars& x) { return reshape(transpose(x[0]), {6}); },
     from({6},
          [](const Sizes& i) {
            return Sizes{i[0] % 2, i[0] / 2};
          }),
     {{{2, 3}}}},

    {"permute(Var, Axes)",
     "",
     permuted({2, 0, 1}),
     from({4, 2, 3},
          [](const Sizes& i) {
            return Sizes{i[1], i[2], i[0]};
          }),
     {{{2, 3, 4}}}},
    {"permute(Var, Axes)",
     "axes from the end",
     permuted({-1, -3, -2}),
     from({4, 2, 3},
          [](const Sizes& i) {
            return Sizes{i[1], i[2], i[0]};
          }),
     {{{2, 3, 4}}}},
    {"permute(Var, Axes)",
     "a cycle of four",
     permuted({1, 3, 0, 2}),
     from({3, 5, 2, 4},
          [](const Sizes& i) {
            return Sizes{i[2], i[0], i[3], i[1]};
          }),
     {{{2, 3, 4, 5}}}},
    {"permute(Var, Axes)", "nothing", permuted({1, 0}), as({2, 0}), {{{0, 2}}}},
    {"transpose(Var)",
     "",
     [](const Vars& x) { return transpose(x[0]); },
     from({2, 4, 3},
          [](const Sizes& i) {
            return Sizes{i[0], i[2], i[1]};
          }),
     {{{2, 3, 4}}}},

    {"squeeze(Var, Axes)",
     "",
     [](const Vars& x) {
       return squeeze(x[0], {0, -1});
     },
     as({3, 2}),
     {{{1, 3, 2, 1}}}},
    {"unsqueeze(Var, Size)", "", [](const Vars& x) { return unsqueeze(x[0], 1); }, as({2, 1, 3}), {{{2, 3}}}},
    {"unsqueeze(Var, Size)",
     "at the end",
     [](const Vars& x) { return unsqueeze(x[0], -1); },
     as({2, 3, 1}),
     {{{2, 3}}}},

    {"broadcast_to(Var, Shape)",
     "",
     widened({4, 2, 3}),
     from({4, 2, 3},
          [](const Sizes& i) {
            return Sizes{i[1], 0};
          }),
     {{{2, 1}}}},
    {"broadcast_to(Var, Shape)",
     "a number",
     widened({2, 3}),
     from({2, 3}, [](const Sizes&) { return Sizes{}; }),
     {{{}}}},
    {"broadcast_to(Var, Shape)",
     "to an empty axis",
     widened({0, 3}),
     from({0, 3}, [](const Sizes& i) { return i; }),
     {{{1, 3}}}},

    {slice_op,
     "",
     sliced(1, 1, 3, 1),
     from({2, 3},
          [](const Sizes& i) {
            return Sizes{i[0], i[1] + 1};
          }),
     {{{2, 5}}}},
    {slice_op,
     "steps of 2",
     sliced(0, 1, 2, 2),
     from({2, 3},
          [](const Sizes& i) {
            return Sizes{1 + 2 * i[0], i[1]};
          }),
     {{{5, 3}}}},
    {slice_op,
     "backwards in steps of 3",
     sliced(-1, 6, 3, -3),
     from({2, 3},
          [](const Sizes& i) {
            return Sizes{i[0], 6 - 3 * i[1]};
          }),
     {{{2, 7}}}},
    {slice_op, "nothing", sliced(1, 0, 0, 1), from({2, 0}, [](const Sizes& i) { return i; }), {{{2, 3}}}},
    {slice_op,
     "a slice of a slice",
     [](const Vars& x) { return slice(slice(x[0], 0, 4, 3, -2), 0, 2, 2, -1); },
     from({2, 2},
          [](const Sizes& i) {
            return Sizes{2 * i[0], i[1]};
          }),
     {{{5, 2}}}},

    {"select(Var, Size, Size)",
     "",
     [](const Vars& x) { return select(x[0], 1, 2); },
     from({2, 4},
          [](const Sizes& i) {
            return Sizes{i[0], 2, i[1]};
          }),
     {{{2, 3, 4}}}},
    {"select(Var, Size, Size)",
     "from the end",
     [](const Vars& x) { return select(x[0], -1, -4); },
     from({2, 3},
          [](const Sizes& i) {
            return Sizes{i[0], i[1], 0};
          }),
     {{{2, 3, 4}}}},

    {"flip(Var, Axes)",
     "",
     [](const Vars& x) { return flip(x[0], {1}); },
     from({2, 3},
          [](const Sizes& i) {
            return Sizes{i[0], 2 - i[1]};
          }),
     {{{2, 3}}}},
    {"flip(Var, Axes)",
     "two axes",
     [](const Vars& x) {
       return flip(x[0], {0, -1});
     },
     from({2, 3, 4},
          [](const Sizes& i) {
            return Sizes{1 - i[0], i[1], 3 - i[2]};
          }),
     {{{2, 3, 4}}}},
    {"flip(Var, Axes)", "nothing", [](const Vars& x) { return flip(x[0], {1}); }, as({2, 0}), {{{2, 0}}}},

    {"roll(Var, Size, Size)",
     "",
     rolled(2, 1),
     from({3, 5},
          [](const Sizes& i) {
            return Sizes{i[0], (i[1] + 3) % 5};
          }),
     {{{3, 5}}}},
    {"roll(Var, Size, Size)",
     "backwards, more than once around",
     rolled(-7, 0),
     from({5, 2},
          [](const Sizes& i) {
            return Sizes{(i[0] + 7) % 5, i[1]};
          }),
     {{{5, 2}}}},
    {"roll(Var, Size, Size)", "a whole turn", rolled(3, 0), as({3, 2}), {{{3, 2}}}},
    {"roll(Var, Size, Size)", "nothing", rolled(1, 1), as({2, 0}), {{{2, 0}}}},

    {"diagonal(Var, Size, Size)",
     "",
     [](const Vars& x) { return diagonal(x[0], 0, 1); },
     from({3},
          [](const Sizes& i) {
            return Sizes{i[0], i[0]};
          }),
     {{{3, 3}}}},
    {"diagonal(Var, Size, Size)",
     "axes apart and in reverse",
     [](const Vars& x) { return diagonal(x[0], -1, 0); },
     from({2, 3},
          [](const Sizes& i) {
            return Sizes{i[1], i[0], i[1]};
          }),
     {{{3, 2, 3}}}},
    {"diagonal(Var, Size, Size)",
     "of a batch",
     [](const Vars& x) { return diagonal(x[0], 1, 3); },
     from({2, 4, 3},
          [](const Sizes& i) {
            return Sizes{i[0], i[2], i[1], i[2]};
          }),
     {{{2, 3, 4, 3}}}},
};

}  // namespace

TEST_CASE("every row of ops/shape.cpp has the right value and derivatives") { check_rows(rows); }

TEST_CASE("every op of ops/shape.cpp has a row") { check_complete("ops/shape.cpp", rows); }

TEST_CASE("the views among the ops of ops/shape.cpp share the block of their operand") {
  const Var x = Var::parameter(random({2, 3, 4}));
  const auto shares = [&](const Var& y) { return y.value().shares_block(x.value()); };
  CHECK(shares(reshape(x, {6, 4})));
  CHECK(shares(permute(x, {2, 0, 1})));
  CHECK(shares(transpose(x)));
  CHECK(shares(unsqueeze(x, 0)));
  CHECK(shares(squeeze(unsqueeze(x, 0), {0})));
  CHECK(shares(broadcast_to(x, {5, 2, 3, 4})));
  CHECK(shares(slice(x, 1, 2, 2, -2)));
  CHECK(shares(select(x, 1, 0)));
  CHECK(shares(flip(x, {0, 2})));
  CHECK(shares(diagonal(slice(x, 2, 0, 3), 1, 2)));
}

TEST_CASE("select says which index is outside which shape") {
  const Var x(Tensor::ones({2, 3}));
  check_throws_with([&] { select(x, 1, 3); }, {"select", "[2, 3]", "3"});
  check_throws_with([&] { select(x, 1, -4); }, {"select", "[2, 3]", "-4"});
  check_throws_with([&] { select(x, 2, 0); }, {"select", "axis 2"});
}
