// What exercise 4 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "autograd/ops.hpp"

namespace attend::chapter16 {

/// An answer: a number [] whose gradient with respect to the scores [K] estimates that of the expected reward, from
/// n draws: chosen int64 [n] and their rewards, [n]. `bug` is what the check must name in one of the listed wrong
/// answers.
struct RewardAnswer {
  std::string name;
  Var (*objective)(const Var& scores, const Tensor& chosen, const Tensor& rewards);
  std::string bug = "";
};

std::vector<RewardAnswer> reward_answers();

}  // namespace attend::chapter16
