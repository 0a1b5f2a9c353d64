// What exercise 2 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "autograd/var.hpp"

namespace attend::chapter01 {

/// An answer: a function that undoes broadcasting for a cotangent. `bug` is what the check must name in one of the
/// listed wrong answers.
struct BroadcastAnswer {
  std::string name;
  Var (*summed_to)(const Var& g, const Shape& shape);
  std::string bug = "";
};

std::vector<BroadcastAnswer> broadcast_answers();

}  // namespace attend::chapter01
