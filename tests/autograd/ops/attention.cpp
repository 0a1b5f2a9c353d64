#include <doctest/doctest.h>

#include <cmath>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/op_table.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr const char* op = "blockwise_attention(Var, Var, Var, Blockwise)";

// Whether query i of sequence b may attend to key j.
using May = std::function<bool(Size b, Size i, Size j)>;

// softmax(scale · q kᵀ) v of q [B, Tq, d], k [B, Tk, d], v [B, Tk, dv]; a B of 1 serves all.
Oracle by_hand(double scale, const May& may) {
  return [=](const std::vector<Numbers>& x) {
    const Numbers &q = x[0], &k = x[1], &v = x[2];
    const auto of = [](const Numbers& y, Size b) { return y.shape[0] == 1 ? 0 : b; };
    const auto weight = [&](Size b, Size i, Size j) {
      double score = 0;
      for (Size c = 0; c < q.shape[2]; ++c) score += q.at({of(q, b), i, c}) * k.at({of(k, b), j, c});
      return may(b, i, j) ? std::exp(scale * score) : 0;
    };
    const Size B = std::max(q.shape[0], std::max(k.shape[0], v.shape[0]));
    return build({B, q.shape[1], v.shape[2]}, [&](const Sizes& at) {
      double total = 0, sum = 0;
      for (Size j = 0; j < k.shape[1]; ++j) {
        total += weight(at[0], at[1], j);
        sum += weight(at[0], at[1], j) * v.at({of(v, at[0]), j, at[2]});
      }
      return total > 0 ? sum / total : 0;
    });
  };
}

bool everywhere(Size, Size, Size) { return true; }

std::function<Var(const Vars&)> with(const Blockwise& how) {
  return [how](const Vars& x) { return blockwise_attention(x[0], x[1], x[2], how); };
}

// [2, 1, 5]: the first sequence has three keys, the second none.
const Tensor padding =
    Tensor::from_bools({true, true, true, false, false, false, false, false, false, false}, {2, 1, 5});
// [3, 5]: the first query sees the last key alone, the second none, the third every second one.
const Tensor late = Tensor::from_bools(
    {false, false, false, false, true, false, false, false, false, false, true, false, true, false, true}, {3, 5});
const May may_late = [](Size, Size i, Size j) { return late.at({i, j}) != 0; };

const std::vector<Input> cross = {{{2, 3, 4}}, {{2, 5, 4}}, {{2, 5, 6}}};

const std::vector<Row> rows = {
    {op, "one tile", with({}), by_hand(1, everywhere), cross},
    {op, "many tiles, and a rest of each", with({0.5, {}, false, 2}), by_hand(0.5, everywhere), cross},
    {op, "tiles of one query and one key", with({0.5, {}, false, 1}), by_hand(0.5, everywhere), cross},
    {op,
     "two axes",
     [](const Vars& x) {
       return unsqueeze(
           blockwise_attention(squeeze(x[0], {0}), squeeze(x[1], {0}), squeeze(x[2], {0}), {1, {}, false, 2}), 0);
     },
     by_hand(1, everywhere),
     {{{1, 3, 4}}, {{1, 5, 4}}, {{1, 5, 6}}}},
    {op,
     "causal, as many queries as keys",
     with({0.7, {}, true, 2}),
     by_hand(0.7, [](Size, Size i, Size j) { return j <= i; }),
     {{{2, 5, 3}}, {{2, 5, 3}}, {{2, 5, 3}}}},
    {op, "causal, the last of more keys", with({0.7, {}, true, 2}),
     by_hand(0.7, [](Size, Size i, Size j) { return j <= i + 2; }), cross},
    {op,
     "causal, more queries than keys: the first see none",
     with({0.7, {}, true, 2}),
     by_hand(0.7, [](Size, Size i, Size j) { return j <= i - 2; }),
     {{{2, 5, 4}}, {{2, 3, 4}}, {{2, 3, 6}}}},
    {op, "a padding mask, with a sequence without any key", with({0.5, padding, false, 2}),
     by_hand(0.5, [](Size b, Size, Size j) { return b == 0 && j < 3; }), cross},
    {op, "a mask whose first tiles hide all", with({0.5, late, false, 2}), by_hand(0.5, may_late), cross},
    {op, "a mask and causality", with({0.5, late, true, 2}),
     by_hand(0.5, [](Size b, Size i, Size j) { return j <= i + 2 && may_late(b, i, j); }), cross},
    {op, "a mask that is itself a view", with({0.5, flip(transpose(flip(transpose(late), {0})), {1}), false, 2}),
     by_hand(0.5, may_late), cross},
    {op,
     "keys and values for all sequences",
     with({0.5, padding, false, 2}),
     by_hand(0.5, [](Size b, Size, Size j) { return b == 0 && j < 3; }),
     {{{2, 3, 4}}, {{1, 5, 4}}, {{1, 5, 6}}}},
    {op,
     "queries for all sequences",
     with({0.5, {}, false, 2}),
     by_hand(0.5, everywhere),
     {{{1, 3, 4}}, {{2, 5, 4}}, {{2, 5, 6}}}},
    {op, "two keys", with({0.5, {}, false, 2}), by_hand(0.5, everywhere), {{{2, 3, 4}}, {{2, 2, 4}}, {{2, 2, 6}}}},
    {op,
     "one query, one column",
     with({0.5, {}, false, 2}),
     by_hand(0.5, everywhere),
     {{{2, 1, 1}}, {{2, 5, 1}}, {{2, 5, 1}}}},
    {op, "no keys", with({0.5, {}, false, 2}), by_hand(0.5, everywhere), {{{2, 3, 4}}, {{2, 0, 4}}, {{2, 0, 6}}}, true},
    {op, "no queries", with({0.5, {}, false, 2}), by_hand(0.5, everywhere), {{{2, 0, 4}}, {{2, 5, 4}}, {{2, 5, 6}}}},
    {op,
     "no columns to compare",
     with({0.5, {}, false, 2}),
     by_hand(0.5, everywhere),
     {{{2, 3, 0}}, {{2, 5, 0}}, {{2, 5, 6}}}},
    {op,
     "values of no columns",
     with({0.5, {}, true, 2}),
     by_hand(0.5, everywhere),
     {{{2, 3, 4}}, {{2, 5, 4}}, {{2, 5, 0}}}},
};

}  // namespace

TEST_CASE("every row of ops/attention.cpp has the right value and derivatives") { check_rows(rows); }

// The check of second derivatives takes the first ones as they are: here they are compared with the tiles'.
TEST_CASE("derivatives that can be differentiated again, in the composed form, are those of the tiles") {
  for (const Row& row : rows) {
    INFO(row.situation);
    Vars x;
    for (const Input& input : row.inputs)
      x.push_back(Var::parameter(random(input.shape, DType::float64, 3 + x.size())));
    const Var y = row.f(x), cotangent(random(y.shape(), DType::float64, 2));
    const Vars tiles = grad(y, x, cotangent), composed = grad(y, x, cotangent, true);
    for (std::size_t i = 0; i < x.size(); ++i) check_agree(composed[i], tiles[i], 1e-13, 1e-13);
  }
}

TEST_CASE("every op of ops/attention.cpp has a row") { check_complete("ops/attention.cpp", rows); }
