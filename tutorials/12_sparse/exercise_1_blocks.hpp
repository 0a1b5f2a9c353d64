// What exercise 1 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "autograd/ops.hpp"
#include "tensor/kernels.hpp"

namespace attend::chapter12 {

/// An answer: attention of q, k [T, d], v [T, dv] within a window of w keys on each side -> [T, dv]; T is a multiple of
/// w. `bug` is what the check must name in one of the listed wrong answers.
struct BlocksAnswer {
  std::string name;
  Var (*attend)(const Var& q, const Var& k, const Var& v, Size w);
  std::string bug = "";
};

std::vector<BlocksAnswer> blocks_answers();

}  // namespace attend::chapter12
