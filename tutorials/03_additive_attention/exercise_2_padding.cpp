// Exercise 2: mend the padding.
//
// Texts of one batch are filled up to the length of the longest. What fills them is no text: its weight must be 0, and
// the weights of what is text must be what they would be if the text stood alone.
//
//   weights(i, j) = exp(score(i, j)) / Σ exp(score(i, j'))    for j, j' < length of the text, and 0 behind it
//
// Somebody wrote this. The weight of padding is 0, as wanted; yet a short text in a batch of long ones is translated worse
// than alone. Why? On paper: the scores are 0, 0, 0 and the length is 2.
//
// Useful:
//   where(there, a, b)             a where `there` is true, else b
//   softmax(x), matmul(a, b)       as in exercise 1
//   masked_softmax(x, there)       softmax over those elements of a row for which `there` is true
#include "tutorials/03_additive_attention/exercise_2_padding.hpp"

namespace attend::chapter03 {

/// scores [B, Tq, Tk], value [B, Tk, Dv]
Attended padded_attention(const Var& scores, const Var& value, const std::vector<Size>& lengths) {
  const Var zero = Tensor::zeros({}, scores.dtype());
  const Mask mask = padding_mask(lengths, scores.shape()[2]);
  const Tensor there = mask.for_scores(scores.shape());     // [B, 1, Tk], true where there is text
  const Var weights = where(there, softmax(scores), zero);  // [B, Tq, Tk]
  return {matmul(weights, value), weights};
}

std::vector<PaddingAnswer> padding_answers() { return {{"yours", padded_attention}}; }

}  // namespace attend::chapter03
