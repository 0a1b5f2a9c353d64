#include <doctest/doctest.h>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/op_table.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

const std::string windows_op = "windows(Var, Size, Size, Size, Size)",
                  overlap_op = "overlap_add(Var, Size, Size, Size, Size)";

const std::vector<Row> rows = {
    {windows_op,
     "overlapping",
     [](const Vars& x) { return windows(x[0], 1, 3); },
     [](const std::vector<Numbers>& x) {
       return build({2, 3, 4, 3}, [&](const Sizes& i) { return x[0].at({i[0], i[1] + i[3], i[2]}); });
     },
     {{{2, 5, 4}}}},
    {windows_op,
     "strided and dilated, the last elements in no window",
     [](const Vars& x) { return windows(x[0], -1, 2, 3, 2); },
     [](const std::vector<Numbers>& x) {
       return build({3, 2, 2}, [&](const Sizes& i) { return x[0].at({i[0], 3 * i[1] + 2 * i[2]}); });
     },
     {{{3, 8}}}},
    {windows_op,
     "of one element, apart",
     [](const Vars& x) { return windows(x[0], 0, 1, 2); },
     [](const std::vector<Numbers>& x) {
       return build({2, 2, 1}, [&](const Sizes& i) { return x[0].at({2 * i[0], i[1]}); });
     },
     {{{4, 2}}}},
    {windows_op,
     "of nothing",
     [](const Vars& x) { return windows(x[0], 1, 2); },
     [](const std::vector<Numbers>&) {
       return Numbers{{0, 2, 2}, {}};
     },
     {{{0, 3}}}},
    {windows_op,
     "in two dimensions",
     [](const Vars& x) { return windows(windows(x[0], 0, 2), 1, 3); },
     [](const std::vector<Numbers>& x) {
       return build({2, 2, 2, 3}, [&](const Sizes& i) { return x[0].at({i[0] + i[2], i[1] + i[3]}); });
     },
     {{{3, 4}}}},

    {overlap_op,
     "overlapping, with a rest",
     [](const Vars& x) { return overlap_add(x[0], 1, 6); },
     [](const std::vector<Numbers>& x) {
       return build({2, 6, 2}, [&](const Sizes& i) {
         double sum = 0;
         for (Size w = 0; w < 3; ++w) {
           if (i[1] - w >= 0 && i[1] - w < 3) sum += x[0].at({i[0], w, i[2], i[1] - w});
         }
         return sum;
       });
     },
     {{{2, 3, 2, 3}}}},
    {overlap_op,
     "strided and dilated",
     [](const Vars& x) { return overlap_add(x[0], 0, 8, 2, 3); },
     [](const std::vector<Numbers>& x) {
       return build({8}, [&](const Sizes& i) {
         double sum = 0;
         for (Size w = 0; w < 3; ++w) {
           for (Size k = 0; k < 2; ++k) sum += 2 * w + 3 * k == i[0] ? x[0].at({w, k}) : 0;
         }
         return sum;
       });
     },
     {{{3, 2}}}},
    {overlap_op,
     "of nothing",
     [](const Vars& x) { return overlap_add(x[0], 1, 4); },
     [](const std::vector<Numbers>&) {
       return Numbers{{0, 4}, {}};
     },
     {{{0, 2, 2}}}},
};

}  // namespace

TEST_CASE("every row of ops/windows.cpp has the right value and derivatives") { check_rows(rows); }

TEST_CASE("every op of ops/windows.cpp has a row") { check_complete("ops/windows.cpp", rows); }

TEST_CASE("an element that several windows read gets the cotangents of all (O-37)") {
  const Var x = Var::parameter(numbers({1, 3, 2}, {3}));
  check_close(grad(windows(x, 0, 2), {x}, numbers({1, 10, 100, 1000}, {2, 2}))[0], {3}, {1, 110, 1000}, 0);
}

TEST_CASE("windows and overlap_add are each other's transpose") {
  const Tensor x = random({3, 9}), w = random({3, 3, 2}, DType::float64, 2);
  const Var there = sum(windows(Var(x), 1, 2, 3, 2) * Var(w)), back = sum(Var(x) * overlap_add(Var(w), 1, 9, 3, 2));
  check_close(there.item(), back.item(), 1e-14);
}

TEST_CASE("windows that do not fit are named with their sizes") {
  const Var x(Tensor::ones({2, 4}));
  check_throws_with([&] { windows(x, 1, 5); }, {"windows", "[2, 4]", "5 elements", "length 4"});
  check_throws_with([&] { windows(x, 2, 1); }, {"windows", "axis 2"});
  check_throws_with([&] { overlap_add(x, 0, 4); }, {"overlap_add", "[2, 4]", "4"});
}
