// Wrong answers to exercise 4, each with the bug that the check must name.
#include "tutorials/16_conditional_and_learned/exercise_4_reward.hpp"

namespace attend::chapter16 {
namespace {

Var above(const Tensor& rewards) {
  const Var R = rewards;
  return R - (sum(R) - R) / (static_cast<double>(rewards.size()) - 1);
}
Var log_p(const Var& scores, const Tensor& chosen) { return take(log_softmax(scores), 0, chosen); }

Var unsolved(const Var&, const Tensor&, const Tensor&) { return {}; }
Var with_itself(const Var& scores, const Tensor& chosen, const Tensor& rewards) {
  return mean((Var(rewards) - mean(Var(rewards))) * log_p(scores, chosen));
}
Var no_baseline(const Var& scores, const Tensor& chosen, const Tensor& rewards) {
  return mean(Var(rewards) * log_p(scores, chosen));
}
Var wrong_sign(const Var& scores, const Tensor& chosen, const Tensor& rewards) {
  return -mean(above(rewards) * log_p(scores, chosen));
}
Var no_logarithm(const Var& scores, const Tensor& chosen, const Tensor& rewards) {
  return mean(above(rewards) * take(softmax(scores), 0, chosen));
}
Var total(const Var& scores, const Tensor& chosen, const Tensor& rewards) {
  return sum(above(rewards) * log_p(scores, chosen));
}
Var over_all(const Var& scores, const Tensor& chosen, const Tensor& rewards) {
  const Var R = rewards;
  const Var of_others = (sum(R) - R) / static_cast<double>(rewards.size());
  return mean((R - of_others) * log_p(scores, chosen));
}
Var one_by_one(const Var& scores, const Tensor& chosen, const Tensor& rewards) {
  return above(rewards) * log_p(scores, chosen);
}

}  // namespace

std::vector<RewardAnswer> reward_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"a number for each draw", one_by_one, "one number for each draw"},
      {"a draw in its own baseline", with_itself, "its own baseline"},
      {"no baseline", no_baseline, "no baseline"},
      {"the wrong sign", wrong_sign, "wrong sign"},
      {"p in the place of log p", no_logarithm, "no logarithm"},
      {"a sum over the draws", total, "the sum over the draws"},
      {"divided by n", over_all, "n − 1"},
  };
}

}  // namespace attend::chapter16
