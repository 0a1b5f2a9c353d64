// Wrong answers to exercise 1, each with the bug that the check must name.
#include "nn/mask.hpp"
#include "tutorials/13_low_rank_and_kernels/exercise_1_chunks.hpp"

namespace attend::chapter13 {
namespace {

enum class Slip {
  none,
  state_first,
  future_seen,
  strict,
  only_before,
  sums_replaced,
  not_divided,
  normaliser_of_chunk,
  normaliser_of_state,
  normaliser_not_carried,
  history_cut
};

// The solution, with one slip.
template <Slip slip>
Var slipped(const Var& fq, const Var& fk, const Var& v, Size c) {
  const Size T = v.shape()[0], m = fk.shape()[1], dv = v.shape()[1];
  const Tensor none = Tensor::zeros({}, v.dtype());
  const auto triangle = [](Size side) {
    return reshape(causal_mask(side, side).for_scores({1, side, side}), {side, side});
  };
  const Tensor seen = slip == Slip::strict ? kernel::logical_not(transpose(triangle(c))) : triangle(c);
  Var S = Tensor::zeros({m, dv}, v.dtype()), z = Tensor::zeros({m, 1}, v.dtype());
  Vars contexts;
  for (Size start = 0; start < T; start += c) {
    const Var q = slice(fq, 0, start, c), k = slice(fk, 0, start, c), values = slice(v, 0, start, c);
    const Var sum_of_chunk = matmul(transpose(k), values), features_of_chunk = reshape(sum(k, {0}), {m, 1});
    if (slip == Slip::state_first) S = S + sum_of_chunk, z = z + features_of_chunk;
    const Var products = matmul(q, transpose(k));
    Var P = slip == Slip::future_seen ? products : where(seen, products, none);
    if (slip == Slip::only_before) P = 0.0 * P;
    const Var of_state = matmul(q, z), of_chunk = sum(P, {1}, true);
    Var total = of_state + of_chunk;
    if (slip == Slip::not_divided) total = Tensor::ones({c, 1}, v.dtype());
    if (slip == Slip::normaliser_of_chunk) total = of_chunk;
    if (slip == Slip::normaliser_of_state) total = of_state;
    contexts.push_back((matmul(q, S) + matmul(P, values)) / total);
    if (slip == Slip::state_first) continue;
    const bool carried = slip != Slip::sums_replaced;
    S = carried ? S + sum_of_chunk : sum_of_chunk;
    z = carried && slip != Slip::normaliser_not_carried ? z + features_of_chunk : features_of_chunk;
  }
  const Var context = concat(contexts, 0);
  return slip == Slip::history_cut ? detach(context) : context;
}

Var unsolved(const Var&, const Var&, const Var&, Size) { return {}; }
Var each_for_itself(const Var& fq, const Var& fk, const Var& v, Size c) {
  Vars contexts;
  for (Size start = 0; start < v.shape()[0]; start += c) {
    const auto of = [&](const Var& x) { return slice(x, 0, start, c); };
    contexts.push_back(slipped<Slip::none>(of(fq), of(fk), of(v), c));
  }
  return concat(contexts, 0);
}
Var all_pairs(const Var& fq, const Var& fk, const Var& v, Size) { return slipped<Slip::none>(fq, fk, v, v.shape()[0]); }

}  // namespace

std::vector<ChunksAnswer> chunks_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"each chunk for itself", each_for_itself, "for itself"},
      {"the sums take in the chunk first", slipped<Slip::state_first>, "counted twice"},
      {"later keys of the chunk are seen", slipped<Slip::future_seen>, "after the query"},
      {"the own key is not seen", slipped<Slip::strict>, "its own key"},
      {"nothing of the own chunk", slipped<Slip::only_before>, "own chunk"},
      {"the sums are those of the last chunk", slipped<Slip::sums_replaced>, "chunk before alone"},
      {"not divided", slipped<Slip::not_divided>, "not divided"},
      {"divided by the row sums of P", slipped<Slip::normaliser_of_chunk>, "row sums of P alone"},
      {"divided by φ(q) z", slipped<Slip::normaliser_of_state>, "φ(q) z alone"},
      {"z does not grow", slipped<Slip::normaliser_not_carried>, "z holds"},
      {"detach", slipped<Slip::history_cut>, "cuts the history"},
      {"one chunk of all", all_pairs, "all T² pairs"},
  };
}

}  // namespace attend::chapter13
