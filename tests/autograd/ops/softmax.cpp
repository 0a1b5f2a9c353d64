#include <doctest/doctest.h>

#include <cmath>

#include "autograd/ops.hpp"
#include "tests/support/op_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

using Line = std::vector<double>;

double sum_of_exp(const Line& x) {
  double total = 0;
  for (double value : x) total += std::exp(value);
  return total;
}

Line shares(const Line& x) {
  Line y;
  for (double value : x) y.push_back(std::exp(value) / sum_of_exp(x));
  return y;
}

Line log_shares(const Line& x) {
  Line y;
  for (double value : x) y.push_back(value - std::log(sum_of_exp(x)));
  return y;
}

Var softmax_of(const Vars& x) { return softmax(x[0]); }
Var log_softmax_of(const Vars& x) { return log_softmax(x[0]); }

// A mask for scores [2, 3, 4]: one row allows all, one a single element, one none.
const Tensor mask =
    Tensor::from_bools({true,  true, true,  true, false, false, true,  false, false, false, false, false,
                        false, true, false, true, true,  true,  false, true,  false, true,  true,  true},
                       {2, 3, 4});
const Tensor padding = Tensor::from_bools({true, true, false, true, false, false, true, false}, {2, 1, 4});

Oracle masked(const Tensor& allowed) {
  return [allowed](const std::vector<Numbers>& x) {
    const auto may = [&](Size b, Size q, Size k) { return allowed.at({b, allowed.shape()[1] == 1 ? 0 : q, k}) != 0; };
    return build(x[0].shape, [&](const Sizes& i) {
      double total = 0;
      for (Size k = 0; k < x[0].shape[2]; ++k) total += may(i[0], i[1], k) ? std::exp(x[0].at({i[0], i[1], k})) : 0;
      return may(i[0], i[1], i[2]) ? std::exp(x[0].at(i)) / total : 0;
    });
  };
}

const std::vector<Row> rows = {
    {"softmax(Var, Size)", "", softmax_of, along(-1, shares), {{{2, 3, 5}}}},
    {"softmax(Var, Size)", "longer than a vector register", softmax_of, along(-1, shares), {{{2, 19}}}},
    {"softmax(Var, Size)", "one axis", softmax_of, along(0, shares), {{{4}}}},
    {"softmax(Var, Size)", "one element", softmax_of, along(1, shares), {{{3, 1}}}, true},
    {"softmax(Var, Size)",
     "the first axis",
     [](const Vars& x) { return softmax(x[0], 0); },
     along(0, shares),
     {{{3, 2, 4}}}},
    {"softmax(Var, Size)",
     "a middle axis",
     [](const Vars& x) { return softmax(x[0], -2); },
     along(1, shares),
     {{{2, 3, 4}}}},
    {"softmax(Var, Size)", "rows without elements (O-12)", softmax_of, along(1, shares), {{{2, 0}}}},
    {"softmax(Var, Size)", "no rows", softmax_of, along(1, shares), {{{0, 3}}}},
    {"log_softmax(Var, Size)", "", log_softmax_of, along(-1, log_shares), {{{2, 3, 5}}}},
    {"log_softmax(Var, Size)", "longer than a vector register", log_softmax_of, along(1, log_shares), {{{2, 19}}}},
    {"log_softmax(Var, Size)",
     "the first axis",
     [](const Vars& x) { return log_softmax(x[0], 0); },
     along(0, log_shares),
     {{{3, 2, 4}}}},
    {"log_softmax(Var, Size)", "rows without elements", log_softmax_of, along(1, log_shares), {{{2, 0}}}},
    {"masked_softmax(Var, Tensor)",
     "rows that allow all, some and none",
     [](const Vars& x) { return masked_softmax(x[0], mask); },
     masked(mask),
     {{{2, 3, 4}}}},
    {"masked_softmax(Var, Tensor)",
     "a padding mask for all queries",
     [](const Vars& x) { return masked_softmax(x[0], padding); },
     masked(padding),
     {{{2, 3, 4}}}},
    {"masked_softmax(Var, Tensor)",
     "a mask that is itself a view",
     [](const Vars& x) {
       return masked_softmax(permute(x[0], {2, 0, 1}), permute(mask, {2, 0, 1}));
     },
     [](const std::vector<Numbers>& x) {
       const Numbers turned = build({4, 2, 3}, [&](const Sizes& i) { return x[0].at({i[1], i[2], i[0]}); });
       return masked(permute(mask, {2, 0, 1}))({turned});
     },
     {{{2, 3, 4}}}},
    {"masked_softmax(Var, Tensor)",
     "everything allowed",
     [](const Vars& x) {
       return masked_softmax(x[0], Tensor::ones({1, 1, 1}, DType::boolean));
     },
     along(-1, shares),
     {{{2, 3, 4}}}},
    {"masked_softmax(Var, Tensor)",
     "rows without elements",
     [](const Vars& x) {
       return masked_softmax(x[0], Tensor::ones({2, 0}, DType::boolean));
     },
     along(-1, shares),
     {{{2, 0}}}},
};

}  // namespace

TEST_CASE("every row of ops/softmax.cpp has the right value and derivatives") { check_rows(rows); }

TEST_CASE("every op of ops/softmax.cpp has a row") { check_complete("ops/softmax.cpp", rows); }
