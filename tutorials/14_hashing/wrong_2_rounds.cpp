// Wrong answers to exercise 2, each with the bug that the check must name.
#include "tutorials/14_hashing/exercise_2_rounds.hpp"

namespace attend::chapter14 {
namespace {

enum class Slip { none, for_each_round, averaged, summed, by_z, log_added, once_in_z_alone, overflowing, history_cut };

Tensor rounds_that_meet(const Tensor& keys) {
  const Size R = keys.shape()[0], T = keys.shape()[1], K = keys.shape()[2];
  std::vector<double> all;
  for (Size r = 0; r < R; ++r) {
    for (Size i = 0; i < T; ++i) {
      for (Size m = 0; m < K; ++m) {
        double times = 0;
        for (Size other = 0; other < R * K; ++other) {
          times += keys.at({other / K, i, other % K}) == keys.at({r, i, m}) ? 1 : 0;
        }
        all.push_back(times);
      }
    }
  }
  return Tensor::from(all, {R, T, K}, DType::float64);
}

// The solution, with one slip.
template <Slip slip>
Var slipped(const Var& scores, const Tensor& keys, const Var& values) {
  const Var log_N = kernel::log(rounds_that_meet(keys));
  Var s = scores - log_N;
  if (slip == Slip::for_each_round) s = scores;
  if (slip == Slip::log_added) s = scores + log_N;
  const Var weights = softmax(slip == Slip::once_in_z_alone ? scores : s);
  const Var o = squeeze(matmul(unsqueeze(weights, 2), values), {2});  // [R, T, dv]
  const Var z = slip == Slip::overflowing ? log(sum(exp(s), {-1}, true)) : logsumexp(s, {-1}, true);
  Var share = softmax(z, 0);  // [R, T, 1]
  if (slip == Slip::averaged) share = softmax(z * 0.0, 0);
  if (slip == Slip::summed) share = softmax(z);  // over an axis of one
  if (slip == Slip::by_z) share = z / sum(z, {0}, true);
  const Var context = sum(share * o, {0});
  return slip == Slip::history_cut ? detach(context) : context;
}

Var unsolved(const Var&, const Tensor&, const Var&) { return {}; }
Var of_each_round(const Var& scores, const Tensor& keys, const Var& values) {
  const Var s = scores - kernel::log(rounds_that_meet(keys));
  return squeeze(matmul(unsqueeze(softmax(s), 2), values), {2});
}

}  // namespace

std::vector<RoundsAnswer> rounds_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"rounds not put together", of_each_round, "still one context for each round"},
      {"a key counts for each round", slipped<Slip::for_each_round>, "once for each round"},
      {"averaged", slipped<Slip::averaged>, "are averaged"},
      {"weights of the rounds over the wrong axis", slipped<Slip::summed>, "add up to R"},
      {"z itself as a weight", slipped<Slip::by_z>, "z itself"},
      {"log N added", slipped<Slip::log_added>, "log N is added"},
      {"N in z alone", slipped<Slip::once_in_z_alone>, "in z, and not in the weights of a round"},
      {"log Σ exp by hand", slipped<Slip::overflowing>, "overflows"},
      {"detach", slipped<Slip::history_cut>, "cuts the history"},
  };
}

}  // namespace attend::chapter14
