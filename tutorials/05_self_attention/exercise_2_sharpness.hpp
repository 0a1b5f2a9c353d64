// What exercise 2 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "tensor/shape.hpp"

namespace attend::chapter05 {

/// An answer: the sharpness for a weight among entries. `bug` is what the check must name in a wrong one.
struct SharpnessAnswer {
  std::string name;
  double (*sharpness)(double weight, Size entries);
  std::string bug = "";
};

std::vector<SharpnessAnswer> sharpness_answers();

}  // namespace attend::chapter05
