// What exercise 1 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "nn/mask.hpp"

namespace attend::chapter08 {

/// How a decoder learns from a right text.
struct Forced {
  Tensor given, wanted;  // int64 [B, T − 1]: what it reads, and what it is to write after each word of that
  Mask mask;             // which place of `given` may look at which
};

/// An answer. `bug` is what the check must name in one of the listed wrong answers.
struct ForcingAnswer {
  std::string name;
  Forced (*force)(const Tensor& target);
  std::string bug = "";
};

std::vector<ForcingAnswer> forcing_answers();

}  // namespace attend::chapter08
