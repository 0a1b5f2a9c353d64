// What exercise 1 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "nn/attention/attended.hpp"

namespace attend::chapter06 {

/// An answer: attention in heads, from what the projections made. `bug` is what the check must name in one of the
/// listed wrong answers.
struct HeadsAnswer {
  std::string name;
  Attended (*attention)(const Var& Q, const Var& K, const Var& V, Size heads);
  std::string bug = "";
};

std::vector<HeadsAnswer> heads_answers();

}  // namespace attend::chapter06
