// What exercise 2 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "autograd/ops.hpp"

namespace attend::chapter13 {

/// An answer: positive random features of q [T, d] for the directions w [m, d] -> [T, m]. φ(q) · φ(k) is
/// exp(q · k / √d) on average over the directions. `bug` is what the check must name in one of the listed wrong
/// answers.
struct FeaturesAnswer {
  std::string name;
  Var (*features)(const Var& q, const Var& w);
  std::string bug = "";
};

std::vector<FeaturesAnswer> features_answers();

}  // namespace attend::chapter13
