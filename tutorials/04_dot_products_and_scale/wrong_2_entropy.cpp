// Wrong answers to exercise 2, each with the bug that the check must name.
#include <cmath>

#include "tutorials/04_dot_products_and_scale/exercise_2_entropy.hpp"

namespace attend::chapter04 {
namespace {

Var of(const Var& scores, Size axis) { return -sum(softmax(scores, axis) * log_softmax(scores, axis), {axis}); }

Var unsolved(const Var&) { return {}; }
Var with_log(const Var& scores) {
  const Var p = softmax(scores, -1);
  return -sum(p * log(p), {-1});
}
Var with_a_bit_more(const Var& scores) {
  const Var p = softmax(scores, -1);
  return -sum(p * log(p + 1e-6), {-1});
}
Var positive(const Var& scores) { return -of(scores, -1); }
Var in_bits(const Var& scores) { return of(scores, -1) / std::log(2.0); }
Var over_rows(const Var& scores) { return of(scores, 0); }
Var averaged(const Var& scores) { return -mean(softmax(scores, -1) * log_softmax(scores, -1), {-1}); }
Var logs_alone(const Var& scores) { return -sum(log_softmax(scores, -1), {-1}); }
Var of_scores(const Var& scores) { return -sum(softmax(scores, -1) * scores, {-1}); }
Var kept_axis(const Var& scores) { return -sum(softmax(scores, -1) * log_softmax(scores, -1), {-1}, true); }
Var detached(const Var& scores) { return of(detach(scores), -1); }

}  // namespace

std::vector<EntropyAnswer> entropy_answers() {
  return {{"the hole is not filled", unsolved, "not filled"},
          {"log of softmax", with_log, "0 · (−∞)"},
          {"a millionth inside the logarithm", with_a_bit_more, "something is added"},
          {"without the minus", positive, "minus"},
          {"in bits", in_bits, "base 2"},
          {"along the other axis", over_rows, "axis 0"},
          {"the mean in place of the sum", averaged, "mean"},
          {"logarithms without their weights", logs_alone, "not weighted"},
          {"scores in place of logarithms", of_scores, "scores themselves"},
          {"the axis kept", kept_axis, "axis of size 1"},
          {"detached", detached, "cuts the history"}};
}

}  // namespace attend::chapter04
