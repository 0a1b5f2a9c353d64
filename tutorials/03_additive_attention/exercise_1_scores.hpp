// What exercise 1 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "nn/attention/attended.hpp"

namespace attend::chapter03 {

/// query [B, Tq, Dq], key [B, Tk, Dk], value [B, Tk, Dv], W_q [Dq, hidden], W_k [Dk, hidden], v [hidden]
struct Inputs {
  Var query, key, value, W_q, W_k, v;
};

/// An answer: additive attention. `bug` is what the check must name in one of the listed wrong answers.
struct ScoresAnswer {
  std::string name;
  Attended (*attention)(const Inputs&);
  std::string bug = "";
};

std::vector<ScoresAnswer> scores_answers();

}  // namespace attend::chapter03
