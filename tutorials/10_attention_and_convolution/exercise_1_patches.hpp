// What exercise 1 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "autograd/ops.hpp"

namespace attend::chapter10 {

/// An answer: images cut into patches. `bug` is what the check must name in one of the listed wrong answers.
struct PatchesAnswer {
  std::string name;
  Var (*patches)(const Var& x, Size patch);
  std::string bug = "";
};

std::vector<PatchesAnswer> patches_answers();

}  // namespace attend::chapter10
