// What exercise 2 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "autograd/ops.hpp"

namespace attend::chapter04 {

/// An answer: the entropy [n] of the weights of scores [n, m]. `bug` is what the check must name in a wrong one.
struct EntropyAnswer {
  std::string name;
  Var (*entropy)(const Var& scores);
  std::string bug = "";
};

std::vector<EntropyAnswer> entropy_answers();

}  // namespace attend::chapter04
