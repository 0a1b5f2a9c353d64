// What exercise 2 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "tensor/tensor.hpp"

namespace attend::chapter12 {

/// Who sees whom in one layer: sees[i][j] says whether query i sees key j.
using Sees = std::vector<std::vector<bool>>;

/// An answer: on which positions of the input the `query` of the last layer depends. layers[0] stands next to the
/// input. `bug` is what the check must name in one of the listed wrong answers.
struct ReachAnswer {
  std::string name;
  std::vector<bool> (*depends)(const std::vector<Sees>& layers, Size query);
  std::string bug = "";
};

std::vector<ReachAnswer> reach_answers();

}  // namespace attend::chapter12
