// Solution of exercise 2.
#include "tutorials/16_conditional_and_learned/exercise_2_span.hpp"

namespace attend::chapter16 {
namespace {

Var solved(const Var& scores, const Var& z, double ramp) {
  const Size T = scores.shape()[0];
  std::vector<double> distances;
  std::vector<bool> before;
  for (Size i = 0; i < T; ++i) {
    for (Size j = 0; j < T; ++j) {
      distances.push_back(static_cast<double>(i - j));
      before.push_back(j <= i);
    }
  }
  const Var x = Tensor::from(distances, {T, T}, scores.dtype());
  const Var m = clamp((ramp + z - x) / ramp, 0, 1);
  const Var soft = m * masked_softmax(scores, Tensor::from_bools(before, {T, T}));
  return soft / sum(soft, {1}, true);
}

}  // namespace

std::vector<SpanAnswer> span_answers() { return {{"the solution", solved}}; }

}  // namespace attend::chapter16
