// What exercise 2 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "autograd/ops.hpp"

namespace attend::chapter06 {

/// An answer: the mean of the words that are there. `bug` is what the check must name in one of the listed wrong
/// answers.
struct MeanAnswer {
  std::string name;
  Var (*mean_of)(const Var& x, const Tensor& there);
  std::string bug = "";
};

std::vector<MeanAnswer> mean_answers();

}  // namespace attend::chapter06
