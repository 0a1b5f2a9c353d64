// Wrong answers to exercise 2, each with the bug that the check must name.
#include <limits>

#include "tensor/kernels.hpp"
#include "tutorials/03_additive_attention/exercise_2_padding.hpp"

namespace attend::chapter03 {
namespace {

using Lengths = std::vector<Size>;

Tensor there(const Var& scores, const Lengths& lengths) {
  return padding_mask(lengths, scores.shape()[2]).for_scores(scores.shape());
}
Var number(double value, const Var& like) { return Tensor::full({}, value, like.dtype()); }
Attended summed(const Var& weights, const Var& value) { return {matmul(weights, value), weights}; }

Attended no_mask(const Var& scores, const Var& value, const Lengths&) { return summed(softmax(scores), value); }

Attended after_softmax(const Var& scores, const Var& value, const Lengths& lengths) {
  return summed(where(there(scores, lengths), softmax(scores), number(0, scores)), value);
}

Attended on_the_queries(const Var& scores, const Var& value, const Lengths& lengths) {
  const Tensor text = padding_mask(lengths, scores.shape()[1]).for_scores(transpose(scores).shape());
  return summed(masked_softmax(scores, transpose(text)), value);
}

Attended upside_down(const Var& scores, const Var& value, const Lengths& lengths) {
  return summed(masked_softmax(scores, kernel::logical_not(there(scores, lengths))), value);
}

Attended scores_of_zero(const Var& scores, const Var& value, const Lengths& lengths) {
  return summed(softmax(where(there(scores, lengths), scores, number(0, scores))), value);
}

Attended small_penalty(const Var& scores, const Var& value, const Lengths& lengths) {
  return summed(softmax(where(there(scores, lengths), scores, scores - 10.0)), value);
}

Attended one_more(const Var& scores, const Var& value, const Lengths& lengths) {
  Lengths longer = lengths;
  for (Size& length : longer) length = std::min(length + 1, scores.shape()[2]);
  return summed(masked_softmax(scores, there(scores, longer)), value);
}

Attended one_less(const Var& scores, const Var& value, const Lengths& lengths) {
  Lengths shorter = lengths;
  for (Size& length : shorter) length = std::max<Size>(length - 1, 0);
  return summed(masked_softmax(scores, there(scores, shorter)), value);
}

Attended first_length(const Var& scores, const Var& value, const Lengths& lengths) {
  return summed(masked_softmax(scores, there(scores, Lengths(lengths.size(), lengths[0]))), value);
}

Attended infinite(const Var& scores, const Var& value, const Lengths& lengths) {
  const Var minus_infinity = number(-std::numeric_limits<double>::infinity(), scores);
  return summed(softmax(where(there(scores, lengths), scores, minus_infinity)), value);
}

Attended weights_only(const Var& scores, const Var& value, const Lengths& lengths) {
  return {matmul(softmax(scores), value), masked_softmax(scores, there(scores, lengths))};
}

Attended history_cut(const Var& scores, const Var& value, const Lengths& lengths) {
  return summed(detach(masked_softmax(scores, there(scores, lengths))), value);
}

}  // namespace

std::vector<PaddingAnswer> padding_answers() {
  return {
      {"no mask", no_mask, "lengths have no part"},
      {"zeros after the softmax", after_softmax, "after the softmax"},
      {"the mask on the queries", on_the_queries, "on the axis of the queries"},
      {"the mask upside down", upside_down, "upside down"},
      {"scores of 0", scores_of_zero, "a score of 0 is not a weight of 0"},
      {"a penalty of 10", small_penalty, "fixed number"},
      {"one place more", one_more, "one place of padding"},
      {"one place less", one_less, "last place of each text"},
      {"the first length for all", first_length, "length of the first text"},
      {"−∞", infinite, "0 / 0"},
      {"the context without the mask", weights_only, "context is not made of these weights"},
      {"detach", history_cut, "cuts the history"},
  };
}

}  // namespace attend::chapter03
