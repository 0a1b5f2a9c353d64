// Solution of exercise 2: padding is left out of the sum that softmax divides by, not only of what comes out.
#include "tutorials/03_additive_attention/exercise_2_padding.hpp"

namespace attend::chapter03 {

/// scores [B, Tq, Tk], value [B, Tk, Dv]
Attended padded_attention(const Var& scores, const Var& value, const std::vector<Size>& lengths) {
  const Mask mask = padding_mask(lengths, scores.shape()[2]);
  const Tensor there = mask.for_scores(scores.shape());  // [B, 1, Tk], true where there is text
  const Var weights = masked_softmax(scores, there);     // [B, Tq, Tk]
  return {matmul(weights, value), weights};
}

std::vector<PaddingAnswer> padding_answers() { return {{"the solution", padded_attention}}; }

}  // namespace attend::chapter03
