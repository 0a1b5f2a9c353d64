// Wrong answers to exercise 1, each with the bug that the check must name.
#include <cmath>

#include "tutorials/02_soft_weights/choice.hpp"
#include "tutorials/02_soft_weights/exercise_1_distance.hpp"

namespace attend::chapter02 {
namespace {

using In = DistanceInputs;

Var apart(const In& in) { return unsqueeze(in.query, 1) - unsqueeze(in.key, 0); }
Var squares(const In& in) { return sum(apart(in) * apart(in), {-1}); }
double twice(const In& in) { return 2 * in.width * in.width; }
Var right_scores(const In& in) { return squares(in) / -twice(in); }
Attended summed(const Var& weights, const In& in) { return {matmul(weights, in.value), weights}; }

Attended unsolved(const In&) { return {}; }
Attended plus_sign(const In& in) { return summed(softmax(squares(in) / twice(in)), in); }
Attended no_two(const In& in) { return summed(softmax(squares(in) / (-in.width * in.width)), in); }
Attended width_once(const In& in) { return summed(softmax(squares(in) / (-2 * in.width)), in); }
Attended width_multiplied(const In& in) { return summed(softmax(squares(in) * (-in.width * in.width / 2)), in); }
Attended no_width(const In& in) { return summed(softmax(squares(in) / -2.0), in); }
Attended not_squared(const In& in) { return summed(softmax(sqrt(squares(in)) / -twice(in)), in); }

Attended square_of_sum(const In& in) {
  const Var sums = sum(apart(in), {-1});
  return summed(softmax(sums * sums / -twice(in)), in);
}

Attended products(const In& in) {
  return summed(softmax(matmul(in.query, transpose(in.key)) / (in.width * in.width)), in);
}

Attended over_the_queries(const In& in) { return summed(softmax(right_scores(in), 0), in); }
Attended no_softmax(const In& in) { return summed(right_scores(in), in); }
Attended not_shared_out(const In& in) { return summed(exp(right_scores(in)), in); }
Attended hard(const In& in) { return summed(hard_choice(right_scores(in).value()), in); }

Attended exchanged(const In& in) {
  const Var turned = unsqueeze(in.query, 0) - unsqueeze(in.key, 1);
  return summed(softmax(sum(turned * turned, {-1}) / -twice(in)), in);
}

Attended sum_of_keys(const In& in) {
  const Var weights = softmax(right_scores(in));
  return {matmul(weights, in.key), weights};
}

Attended history_cut(const In& in) { return summed(detach(softmax(right_scores(in))), in); }

}  // namespace

std::vector<DistanceAnswer> distance_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"no minus", plus_sign, "the sign is turned"},
      {"no 2", no_two, "the 2 is missing"},
      {"h in place of h²", width_once, "h is not squared"},
      {"multiplied with h²", width_multiplied, "multiplied with h²"},
      {"no h", no_width, "h has no part"},
      {"distances not squared", not_squared, "the distances are not squared"},
      {"square of the sum", square_of_sum, "summed before they were squared"},
      {"products in place of distances", products, "dot products"},
      {"softmax over the queries", over_the_queries, "every COLUMN of the weights sums to 1"},
      {"no softmax", no_softmax, "weights are the scores themselves"},
      {"exp alone", not_shared_out, "nothing divides by their sum"},
      {"the nearest alone", hard, "a hard choice"},
      {"axes exchanged", exchanged, "axes have changed places"},
      {"keys summed in place of values", sum_of_keys, "the keys were summed"},
      {"detach", history_cut, "cuts the history"},
  };
}

}  // namespace attend::chapter02
