#include <doctest/doctest.h>

#include <cmath>

#include "autograd/ops.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/op_table.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// The parts side by side on axis 1 of three.
Numbers side_by_side(const std::vector<Numbers>& parts) {
  Shape shape = parts[0].shape;
  shape[1] = 0;
  for (const Numbers& part : parts) shape[1] += part.shape[1];
  return build(shape, [&](const Sizes& i) {
    Sizes in_part = i;
    for (const Numbers& part : parts) {
      if (in_part[1] < part.shape[1]) return part.at(in_part);
      in_part[1] -= part.shape[1];
    }
    return 0.0;
  });
}

const std::string split_op = "split(Var, vector<Size>, Size)", unstack_op = "unstack(Var, Size)";

const std::vector<Row> rows = {
    {"concat(Vars, Size)",
     "",
     [](const Vars& x) { return concat(x, 1); },
     side_by_side,
     {{{2, 3, 4}}, {{2, 1, 4}}, {{2, 5, 4}}}},
    {"concat(Vars, Size)",
     "an empty part",
     [](const Vars& x) { return concat(x, -2); },
     side_by_side,
     {{{2, 3, 4}}, {{2, 0, 4}}}},
    {"concat(Vars, Size)", "one part", [](const Vars& x) { return concat(x, 1); }, side_by_side, {{{2, 3, 4}}}},
    {"concat(Vars, Size)",
     "of empty rows",
     [](const Vars& x) { return concat(x, 1); },
     side_by_side,
     {{{0, 3, 4}}, {{0, 1, 4}}}},
    {"concat(Vars, Size)",
     "one part twice",
     [](const Vars& x) {
       return concat({x[0], x[0]}, 1);
     },
     [](const std::vector<Numbers>& x) {
       return side_by_side({x[0], x[0]});
     },
     {{{2, 3, 4}}}},

    {"stack(Vars, Size)",
     "",
     [](const Vars& x) { return stack(x, 1); },
     [](const std::vector<Numbers>& x) {
       return build({2, 2, 3}, [&](const Sizes& i) { return x[static_cast<std::size_t>(i[1])].at({i[0], i[2]}); });
     },
     {{{2, 3}}, {{2, 3}}}},
    {"stack(Vars, Size)",
     "at the end",
     [](const Vars& x) { return stack(x, -1); },
     [](const std::vector<Numbers>& x) {
       return build({2, 3, 3}, [&](const Sizes& i) { return x[static_cast<std::size_t>(i[2])].at({i[0], i[1]}); });
     },
     {{{2, 3}}, {{2, 3}}, {{2, 3}}}},
    {"stack(Vars, Size)",
     "numbers",
     [](const Vars& x) { return stack(x, 0); },
     [](const std::vector<Numbers>& x) {
       return build({2}, [&](const Sizes& i) { return x[static_cast<std::size_t>(i[0])].at({}); });
     },
     {{{}}, {{}}}},

    {split_op,
     "all parts used",
     [](const Vars& x) {
       const Vars parts = split(x[0], {1, 3, 2}, 1);
       return sum(parts[0] * parts[1], {1}) + sum(parts[2] * parts[2], {1});
     },
     [](const std::vector<Numbers>& x) {
       return build({2}, [&](const Sizes& i) {
         const auto at = [&](Size k) { return x[0].at({i[0], k}); };
         return at(0) * (at(1) + at(2) + at(3)) + at(4) * at(4) + at(5) * at(5);
       });
     },
     {{{2, 6}}}},
    {split_op,
     "only the last part used",
     [](const Vars& x) {
       return exp(split(x[0], {2, 3}, -2)[1]);
     },
     [](const std::vector<Numbers>& x) {
       return build({3, 2}, [&](const Sizes& i) { return std::exp(x[0].at({i[0] + 2, i[1]})); });
     },
     {{{5, 2}}}},
    {split_op,
     "a part without elements",
     [](const Vars& x) {
       const Vars parts = split(x[0], {0, 3}, 0);
       return concat({parts[1], parts[0]}, 0);
     },
     [](const std::vector<Numbers>& x) { return x[0]; },
     {{{3, 2}}}},

    {unstack_op,
     "all used",
     [](const Vars& x) {
       const Vars parts = unstack(x[0], 1);
       return parts[0] * parts[1] - parts[2];
     },
     [](const std::vector<Numbers>& x) {
       return build({2, 2}, [&](const Sizes& i) {
         const auto at = [&](Size k) { return x[0].at({i[0], k, i[1]}); };
         return at(0) * at(1) - at(2);
       });
     },
     {{{2, 3, 2}}}},
    {unstack_op,
     "one of three used, twice",
     [](const Vars& x) {
       const Vars parts = unstack(x[0], -1);
       return parts[1] * parts[1];
     },
     [](const std::vector<Numbers>& x) {
       return build({2}, [&](const Sizes& i) { return x[0].at({i[0], 1}) * x[0].at({i[0], 1}); });
     },
     {{{2, 3}}}},

    {"pad(Var, Size, Size, Size, double)",
     "",
     [](const Vars& x) { return pad(x[0], 1, 2, 1, 7.5); },
     [](const std::vector<Numbers>& x) {
       return build({2, 6, 2}, [&](const Sizes& i) {
         return i[1] < 2 || i[1] >= 5 ? 7.5 : x[0].at({i[0], i[1] - 2, i[2]});
       });
     },
     {{{2, 3, 2}}}},
    {"pad(Var, Size, Size, Size, double)",
     "zeros behind the last axis",
     [](const Vars& x) { return pad(x[0], -1, 0, 3); },
     [](const std::vector<Numbers>& x) {
       return build({2, 5}, [&](const Sizes& i) { return i[1] < 2 ? x[0].at(i) : 0; });
     },
     {{{2, 2}}}},
    {"pad(Var, Size, Size, Size, double)",
     "around nothing",
     [](const Vars& x) { return pad(x[0], 1, 1, 1, 3); },
     [](const std::vector<Numbers>&) {
       return build({2, 2}, [](const Sizes&) { return 3.0; });
     },
     {{{2, 0}}}},
};

}  // namespace

TEST_CASE("every row of ops/assemble.cpp has the right value and derivatives") { check_rows(rows); }

TEST_CASE("every op of ops/assemble.cpp has a row") { check_complete("ops/assemble.cpp", rows); }

TEST_CASE("split and unstack make one node, whatever the number of parts") {
  const Var x = Var::parameter(random({4, 5}));
  const Vars parts = unstack(x, 0), pieces = split(x, {2, 3}, 1);
  for (const Var& part : parts) CHECK((part.node() == parts[0].node()));
  CHECK((pieces[0].node() == pieces[1].node()));
  CHECK(parts[3].output() == 3);
  check_close(parts[3], {5}, slice(x.value(), 0, 3, 1).to_vector(), 0);
}

TEST_CASE("unstack of an axis without elements gives no parts") {
  CHECK(unstack(Var::parameter(random({2, 0})), 1).empty());
}

TEST_CASE("parts that do not fit are named with their shapes") {
  const auto ones = [](const Shape& shape) { return Var(Tensor::ones(shape)); };
  check_throws_with([&] { concat({ones({2, 3}), ones({4, 3})}, 1); }, {"concat", "[2, 3]", "[4, 3]", "axis 1"});
  check_throws_with([&] { concat({ones({2, 3}), ones({2})}, 1); }, {"concat", "[2, 3]", "[2]"});
  check_throws_with([&] { concat({}, 0); }, {"concat"});
  check_throws_with(
      [&] {
        concat({ones({2}), Var(Tensor::ones({2}, DType::float64))}, 0);
      },
      {"concat", "float32", "float64"});
  check_throws_with([&] { stack({ones({2, 3}), ones({3, 2})}, 0); }, {"stack", "[2, 3]", "[3, 2]"});
  check_throws_with([&] { stack({}, 0); }, {"stack"});
  check_throws_with([&] { stack({ones({2})}, 2); }, {"stack", "axis 2"});
  check_throws_with([&] { split(ones({2, 6}), {3, 4}, 1); }, {"split", "[2, 6]", "7"});
  check_throws_with([&] { split(ones({2, 6}), {7, -1}, 1); }, {"split", "[2, 6]"});
  check_throws_with([&] { unstack(ones({2}), 1); }, {"unstack", "axis 1"});
  check_throws_with([&] { pad(ones({2, 3}), 1, -1, 0); }, {"pad", "[2, 3]", "-1"});
}
