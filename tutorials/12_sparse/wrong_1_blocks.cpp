// Wrong answers to exercise 1, each with the bug that the check must name.
#include <cmath>
#include <cstdlib>

#include "tutorials/12_sparse/exercise_1_blocks.hpp"

namespace attend::chapter12 {
namespace {

enum class Slip { none, padding_seen, no_band, own_block, one_sided, one_short, unscaled, masked_after, history_cut };

// The solution, with one slip.
template <Slip slip>
Var slipped(const Var& q, const Var& k, const Var& v, Size w) {
  const auto [T, d] = dims<2>(q);
  const Size n = T / w, dv = v.shape()[1];
  std::vector<bool> allowed;
  for (Size i = 0; i < T; ++i) {
    for (Size m = 0; m < 3 * w; ++m) {
      const Size p = i % w, j = i - p + m - w, reach = slip == Slip::one_short ? w - 1 : w;
      const bool there = slip == Slip::padding_seen || (j >= 0 && j < T);
      const bool near = slip == Slip::no_band || (j >= i - reach && j <= (slip == Slip::one_sided ? i : i + reach));
      allowed.push_back(there && near && (slip != Slip::own_block || (m >= w && m < 2 * w)));
    }
  }
  const Tensor mask = Tensor::from_bools(allowed, {n, w, 3 * w});
  const Var beside = windows(pad(k, 0, w, w), 0, 3 * w, w);
  const Var values = transpose(windows(pad(v, 0, w, w), 0, 3 * w, w));
  const double scale = slip == Slip::unscaled ? 1 : std::sqrt(static_cast<double>(d));
  const Var scores = matmul(reshape(q, {n, w, d}), beside) / scale;
  const Var weights = slip == Slip::masked_after ? where(mask, softmax(scores), Tensor::zeros({}, DType::float64))
                                                 : masked_softmax(scores, mask);
  const Var context = reshape(matmul(weights, values), {T, dv});
  return slip == Slip::history_cut ? detach(context) : context;
}

Var unsolved(const Var&, const Var&, const Var&, Size) { return {}; }
Var in_blocks_still(const Var& q, const Var& k, const Var& v, Size w) {
  const Var right = slipped<Slip::none>(q, k, v, w);
  return reshape(right, {q.shape()[0] / w, w, v.shape()[1]});
}
Var all_pairs(const Var& q, const Var& k, const Var& v, Size w) {
  const auto [T, d] = dims<2>(q);
  std::vector<bool> allowed;
  for (Size i = 0; i < T; ++i) {
    for (Size j = 0; j < T; ++j) allowed.push_back(std::abs(i - j) <= w);
  }
  const Var scores = matmul(q, transpose(k)) / std::sqrt(static_cast<double>(d));
  return matmul(masked_softmax(scores, Tensor::from_bools(allowed, {T, T})), v);
}

}  // namespace

std::vector<BlocksAnswer> blocks_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"the blocks are not put in a row", in_blocks_still, "still in blocks"},
      {"zeros beyond the ends are seen", slipped<Slip::padding_seen>, "beyond the ends"},
      {"no band", slipped<Slip::no_band>, "all 3 w keys"},
      {"the own block alone", slipped<Slip::own_block>, "own block alone"},
      {"keys before the query alone", slipped<Slip::one_sided>, "to one side"},
      {"one key short on each side", slipped<Slip::one_short>, "one key short"},
      {"no scale", slipped<Slip::unscaled>, "√d"},
      {"masked after the softmax", slipped<Slip::masked_after>, "after the softmax"},
      {"detach", slipped<Slip::history_cut>, "cuts the history"},
      {"a mask over all pairs", all_pairs, "all T² scores"},
  };
}

}  // namespace attend::chapter12
