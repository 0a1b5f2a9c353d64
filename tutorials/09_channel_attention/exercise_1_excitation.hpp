// What exercise 1 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "autograd/ops.hpp"

namespace attend::chapter09 {

/// x [B, C, H, W]; W_1 [C, C / r]; W_2 [C / r, C]
struct ExcitationInputs {
  Var x, W_1, W_2;
};

/// gates [B, C]; y [B, C, H, W]
struct Excited {
  Var gates, y;
};

/// An answer: squeeze-and-excitation. `bug` is what the check must name in one of the listed wrong answers.
struct ExcitationAnswer {
  std::string name;
  Excited (*excite)(const ExcitationInputs&);
  std::string bug = "";
};

std::vector<ExcitationAnswer> excitation_answers();

}  // namespace attend::chapter09
