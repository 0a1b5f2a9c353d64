// What exercise 2 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "autograd/ops.hpp"

namespace attend::chapter09 {

/// x [B, C, H, W]; W_1 [C, C / r]; W_2 [C / r, C]
struct TwoPoolsInputs {
  Var x, W_1, W_2;
};

/// An answer: the gates [B, C] of the article's channel attention. `bug` is what the check must name in one of the
/// listed wrong answers.
struct TwoPoolsAnswer {
  std::string name;
  Var (*gates)(const TwoPoolsInputs&);
  std::string bug = "";
};

std::vector<TwoPoolsAnswer> two_pools_answers();

}  // namespace attend::chapter09
