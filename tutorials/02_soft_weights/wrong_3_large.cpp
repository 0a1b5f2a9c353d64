// Wrong answers to exercise 3, each with the bug that the check must name.
#include "tutorials/02_soft_weights/exercise_3_large.hpp"

namespace attend::chapter02 {
namespace {

Var shared_out(const Var& shares) { return shares / sum(shares, {-1}, true); }

Var as_it_was(const Var& scores) { return shared_out(exp(scores)); }
Var clipped(const Var& scores) { return shared_out(exp(minimum(scores, Tensor::full({}, 700, DType::float64)))); }
Var less_the_mean(const Var& scores) { return shared_out(exp(scores - mean(scores, {-1}, true))); }
Var less_all(const Var& scores) { return shared_out(exp(scores - max(scores, {0, 1}, true))); }
Var less_each_column(const Var& scores) { return shared_out(exp(scores - max(scores, {0}, true))); }
Var divided(const Var& scores) { return shared_out(exp(scores / max(scores, {-1}, true))); }
Var over_the_rows(const Var& scores) {
  const Var shares = exp(scores - max(scores, {0}, true));
  return shares / sum(shares, {0}, true);
}
Var not_shared_out(const Var& scores) { return exp(scores - max(scores, {-1}, true)); }
Var cut_off(const Var& scores) { return shared_out(exp(detach(scores - max(scores, {-1}, true)))); }

}  // namespace

std::vector<LargeAnswer> large_answers() {
  return {{"as it was", as_it_was, "exp(1000) is infinite"},
          {"scores cut off at 700", clipped, "cut off"},
          {"the mean taken off", less_the_mean, "the mean is taken off"},
          {"the largest of all rows taken off", less_all, "largest of all rows"},
          {"the largest of each column taken off", less_each_column, "largest of each column"},
          {"divided by the largest", divided, "divided by the largest"},
          {"over the other axis", over_the_rows, "COLUMNS sum to 1"},
          {"not divided by the sum", not_shared_out, "not divided by their sum"},
          {"detached", cut_off, "cuts the history"}};
}

}  // namespace attend::chapter02
