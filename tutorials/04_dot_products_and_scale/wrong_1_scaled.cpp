// Wrong answers to exercise 1, each with the bug that the check must name.
#include <cmath>

#include "tutorials/04_dot_products_and_scale/exercise_1_scaled.hpp"

namespace attend::chapter04 {
namespace {

Var products(const ScaledInputs& in) { return matmul(in.query, transpose(in.key)); }
double width(const ScaledInputs& in) { return static_cast<double>(in.query.shape().back()); }
Attended summed(const Var& weights, const ScaledInputs& in) { return {matmul(weights, in.value), weights}; }

Attended unsolved(const ScaledInputs&) { return {}; }

Attended no_scale(const ScaledInputs& in) { return summed(softmax(products(in)), in); }

Attended by_d(const ScaledInputs& in) { return summed(softmax(products(in) / width(in)), in); }

Attended by_number_of_keys(const ScaledInputs& in) {
  return summed(softmax(products(in) / std::sqrt(static_cast<double>(in.key.shape()[1]))), in);
}

Attended by_value_width(const ScaledInputs& in) {
  return summed(softmax(products(in) / std::sqrt(static_cast<double>(in.value.shape().back()))), in);
}

Attended multiplied(const ScaledInputs& in) { return summed(softmax(products(in) * std::sqrt(width(in))), in); }

Attended scale_after(const ScaledInputs& in) { return summed(softmax(products(in)) / std::sqrt(width(in)), in); }

Attended both_scaled(const ScaledInputs& in) {
  const double root = std::sqrt(width(in));
  return summed(softmax(matmul(in.query / root, transpose(in.key / root)) / root), in);
}

Attended no_softmax(const ScaledInputs& in) { return summed(products(in) / std::sqrt(width(in)), in); }

Attended over_the_queries(const ScaledInputs& in) {
  return summed(softmax(products(in) / std::sqrt(width(in)), 1), in);
}

Attended over_the_batch(const ScaledInputs& in) { return summed(softmax(products(in) / std::sqrt(width(in)), 0), in); }

Attended not_transposed(const ScaledInputs& in) {
  return summed(softmax(matmul(in.query, in.key) / std::sqrt(width(in))), in);
}

Attended exchanged(const ScaledInputs& in) {
  return summed(softmax(matmul(in.key, transpose(in.query)) / std::sqrt(width(in))), in);
}

Attended reshaped(const ScaledInputs& in) {
  const auto [B, Tk, d] = dims<3>(in.key);
  return summed(softmax(matmul(in.query, reshape(in.key, {B, d, Tk})) / std::sqrt(width(in))), in);
}

Attended sum_of_keys(const ScaledInputs& in) {
  const Var weights = softmax(products(in) / std::sqrt(width(in)));
  return {matmul(weights, in.key), weights};
}

Attended history_cut(const ScaledInputs& in) {
  return summed(detach(softmax(products(in) / std::sqrt(width(in)))), in);
}

}  // namespace

std::vector<ScaledAnswer> scaled_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"no scale", no_scale, "the scale is missing"},
      {"divided by d", by_d, "divided by d and not by its root"},
      {"divided by √Tk", by_number_of_keys, "the number of keys"},
      {"divided by √Dv", by_value_width, "the width of the values"},
      {"multiplied with √d", multiplied, "multiplied with √d"},
      {"weights divided", scale_after, "the weights were divided"},
      {"queries, keys and products divided", both_scaled, "divided more than once"},
      {"no softmax", no_softmax, "softmax is missing"},
      {"softmax over the queries", over_the_queries, "every COLUMN of the weights sums to 1"},
      {"softmax over the batch", over_the_batch, "over axis 0, the batch"},
      {"keys not transposed", not_transposed, "the keys are not transposed"},
      {"queries and keys exchanged", exchanged, "have changed places"},
      {"keys reshaped", reshaped, "reshape is no transpose"},
      {"keys summed in place of values", sum_of_keys, "the keys were summed"},
      {"detach", history_cut, "cuts the history"},
  };
}

}  // namespace attend::chapter04
