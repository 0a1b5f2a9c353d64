// What exercise 2 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "autograd/ops.hpp"

namespace attend::chapter16 {

/// An answer: the weights of an adaptive span z [1] with this ramp, causal: scores [T, T] -> weights [T, T]. `bug` is
/// what the check must name in one of the listed wrong answers.
struct SpanAnswer {
  std::string name;
  Var (*weights)(const Var& scores, const Var& z, double ramp);
  std::string bug = "";
};

std::vector<SpanAnswer> span_answers();

}  // namespace attend::chapter16
