// Exercise 4: REINFORCE with a baseline that costs nothing. A choice among K is drawn n times by softmax(scores), and
// draw i brought the reward R[i]. Write a number whose gradient with respect to the scores estimates that of the
// expected reward:
//
//   b[i]     the mean of the rewards of the OTHER draws, all but i        [n]
//   log p    of what was chosen in each draw                              [n]
//   number   the mean over the draws of (R[i] − b[i]) log p[i]            []
//
// Draw i may not have a part in its own baseline: then the estimate would be too small by (n − 1) / n. It is to be
// made larger. n is at least 2. The rewards are numbers, no derivative flows through them.
//
// Useful:
//   log_softmax(scores)            log p of all choices
//   take(x, 0, chosen)             x at the chosen places
//   sum(x), mean(x)                of all elements; arithmetic with numbers and between Vars: + − · /
#include "tutorials/16_conditional_and_learned/exercise_4_reward.hpp"

namespace attend::chapter16 {
namespace {

Var your_objective(const Var& scores, const Tensor& chosen, const Tensor& rewards) {
  const auto n = static_cast<double>(rewards.size());
  const Var R = rewards;
  Var number;
  // Your lines go here. At the end `number` is [].

  (void)scores, (void)chosen, (void)n;
  return number;
}

}  // namespace

std::vector<RewardAnswer> reward_answers() { return {{"yours", your_objective}}; }

}  // namespace attend::chapter16
