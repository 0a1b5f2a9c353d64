// Wrong answers to exercise 2, each with the bug that the check must name.
#include "tutorials/16_conditional_and_learned/exercise_2_span.hpp"

namespace attend::chapter16 {
namespace {

enum class Slip { none, not_divided, added, no_ramp, inside, unclipped, both_sides, columns, constant_z, history_cut };

// The solution, with one slip.
template <Slip slip>
Var slipped(const Var& scores, const Var& z, double ramp) {
  const Size T = scores.shape()[0];
  std::vector<double> distances;
  std::vector<bool> before;
  for (Size i = 0; i < T; ++i) {
    for (Size j = 0; j < T; ++j) {
      distances.push_back(static_cast<double>(i < j ? j - i : i - j));
      before.push_back(slip == Slip::both_sides || j <= i);
    }
  }
  const Tensor allowed = Tensor::from_bools(before, {T, T});
  const Var x = Tensor::from(distances, {T, T}, scores.dtype()), ones = Tensor::ones({T, T}, scores.dtype());
  const Var span = slip == Slip::constant_z ? detach(z) : z;
  const Var line = ((slip == Slip::inside ? 0 : ramp) + span - x) / ramp;
  const Var step = where(x <= Var(z.value()), ones, 0.0 * ones);
  const Var m = slip == Slip::no_ramp ? step : slip == Slip::unclipped ? relu(line) : clamp(line, 0, 1);
  if (slip == Slip::added) return masked_softmax(scores + m, allowed);
  const Var soft = m * masked_softmax(scores, allowed);
  if (slip == Slip::not_divided) return soft;
  const Var weights = soft / sum(soft, {slip == Slip::columns ? 0 : 1}, true);
  return slip == Slip::history_cut ? detach(weights) : weights;
}

Var unsolved(const Var&, const Var&, double) { return {}; }

}  // namespace

std::vector<SpanAnswer> span_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"not divided by the sum", slipped<Slip::not_divided>, "not divided"},
      {"added to the scores", slipped<Slip::added>, "added to the scores"},
      {"a span that ends at once", slipped<Slip::no_ramp>, "ends at once"},
      {"the ramp within the span", slipped<Slip::inside>, "behind z"},
      {"no upper end", slipped<Slip::unclipped>, "above 1"},
      {"to both sides", slipped<Slip::both_sides>, "after the query"},
      {"divided along the columns", slipped<Slip::columns>, "COLUMN"},
      {"z as a constant", slipped<Slip::constant_z>, "z gets no derivative"},
      {"the history is cut", slipped<Slip::history_cut>, "cuts the history"},
  };
}

}  // namespace attend::chapter16
