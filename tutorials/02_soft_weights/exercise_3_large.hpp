// What exercise 3 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "autograd/ops.hpp"

namespace attend::chapter02 {

/// An answer: softmax of each row of scores [n, m]. `bug` is what the check must name in a wrong one.
struct LargeAnswer {
  std::string name;
  Var (*softmax_of)(const Var& scores);
  std::string bug = "";
};

std::vector<LargeAnswer> large_answers();

}  // namespace attend::chapter02
