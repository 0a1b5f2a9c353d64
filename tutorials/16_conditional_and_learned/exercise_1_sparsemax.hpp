// What exercise 1 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "autograd/ops.hpp"

namespace attend::chapter16 {

/// An answer: sparsemax of the scores x [T] -> weights [T]. `bug` is what the check must name in one of the listed
/// wrong answers.
struct SparsemaxAnswer {
  std::string name;
  Var (*weights)(const Var& x);
  std::string bug = "";
};

std::vector<SparsemaxAnswer> sparsemax_answers();

}  // namespace attend::chapter16
