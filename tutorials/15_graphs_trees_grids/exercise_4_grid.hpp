// What exercise 4 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "autograd/ops.hpp"

namespace attend::chapter15 {

/// An answer: the image x [height, width, d], cut into grids of G × G pixels -> [groups, G · G, d]; G divides both
/// sides. `bug` is what the check must name in one of the listed wrong answers.
struct GridAnswer {
  std::string name;
  Var (*cut)(const Var& x, Size G);
  std::string bug = "";
};

std::vector<GridAnswer> grid_answers();

}  // namespace attend::chapter15
