// What exercise 1 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "tensor/tensor.hpp"

namespace attend::chapter07 {

/// An answer: the sinusoids of positions 0 .. T − 1, float64 [T, width]. `bug` is what the check must name in one of
/// the listed wrong answers.
struct SinusoidAnswer {
  std::string name;
  Tensor (*positions)(Size T, Size width);
  std::string bug = "";
};

std::vector<SinusoidAnswer> sinusoid_answers();

}  // namespace attend::chapter07
