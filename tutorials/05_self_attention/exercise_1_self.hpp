// What exercise 1 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "nn/attention/attended.hpp"

namespace attend::chapter05 {

/// x [B, T, E]; W_q, W_k, W_v, W_o [E, E]; b_o [E]
struct SelfInputs {
  Var x, W_q, W_k, W_v, W_o, b_o;
};

/// An answer: self-attention. `bug` is what the check must name in one of the listed wrong answers.
struct SelfAnswer {
  std::string name;
  Attended (*attention)(const SelfInputs&);
  std::string bug = "";
};

std::vector<SelfAnswer> self_answers();

}  // namespace attend::chapter05
