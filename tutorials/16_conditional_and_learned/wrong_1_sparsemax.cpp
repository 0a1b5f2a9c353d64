// Wrong answers to exercise 1, each with the bug that the check must name.
#include <algorithm>
#include <functional>

#include "tutorials/16_conditional_and_learned/exercise_1_sparsemax.hpp"

namespace attend::chapter16 {
namespace {

enum class Slip { none, unordered, one_fewer, whole_sum, all_keys, constant_tau, no_clip, history_cut };

// The solution, with one slip.
template <Slip slip>
Var slipped(const Var& x) {
  std::vector<double> z = x.value().to_vector();
  if (slip != Slip::unordered) std::sort(z.begin(), z.end(), std::greater<>());
  double total = 0, k = 0;
  for (const double score : z) {
    total += score;
    if (slip != Slip::all_keys && 1 + (k + 1) * score <= total) {
      total -= score;
      break;
    }
    k += 1;
  }
  if (slip == Slip::one_fewer && k > 1) total -= z[static_cast<std::size_t>(--k)];
  const double tau = (total - (slip == Slip::whole_sum ? 0 : 1)) / k;
  const Var zeros(Tensor::zeros(x.shape(), x.dtype()));
  const Var above = sum(where(x > tau, x, zeros)) / k;
  const Var threshold =
      slip == Slip::none || slip == Slip::history_cut ? above - 1.0 / k : Var(Tensor::full({}, tau, x.dtype()));
  const Var weights = slip == Slip::no_clip ? x - threshold : relu(x - threshold);
  return slip == Slip::history_cut ? detach(weights) : weights;
}

Var unsolved(const Var&) { return {}; }
Var soft(const Var& x) { return softmax(x); }
Var clipped(const Var& x) { return relu(x) / sum(relu(x)); }

}  // namespace

std::vector<SparsemaxAnswer> sparsemax_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"softmax", soft, "that is softmax"},
      {"scores below 0 cut off", clipped, "divided by their sum"},
      {"in the order of x", slipped<Slip::unordered>, "not in order"},
      {"one key fewer", slipped<Slip::one_fewer>, "one key short"},
      {"without the 1", slipped<Slip::whole_sum>, "without the − 1"},
      {"the mean of all scores", slipped<Slip::all_keys>, "of all T scores"},
      {"no maximum with 0", slipped<Slip::no_clip>, "below 0"},
      {"a threshold that is a constant", slipped<Slip::constant_tau>, "τ has a derivative"},
      {"the history is cut", slipped<Slip::history_cut>, "history"},
  };
}

}  // namespace attend::chapter16
