// What exercise 3 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "autograd/ops.hpp"

namespace attend::chapter15 {

/// An answer: the prior [T, T] of constituent attention from its links [T − 1], T >= 1. `bug` is what the check must
/// name in one of the listed wrong answers.
struct PriorAnswer {
  std::string name;
  Var (*prior)(const Var& links);
  std::string bug = "";
};

std::vector<PriorAnswer> prior_answers();

}  // namespace attend::chapter15
