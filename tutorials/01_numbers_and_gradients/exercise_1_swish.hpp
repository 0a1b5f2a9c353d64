// What exercise 1 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "autograd/var.hpp"

namespace attend::chapter01 {

/// An answer: a function that computes swish(x) = x · σ(x) and has a derivative rule. `bug` is what the check must name
/// in one of the listed wrong answers.
struct SwishAnswer {
  std::string name;
  Var (*swish)(const Var&);
  std::string bug = "";
};

std::vector<SwishAnswer> swish_answers();

}  // namespace attend::chapter01
