// What exercise 2 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "autograd/ops.hpp"
#include "tensor/kernels.hpp"

namespace attend::chapter14 {

/// An answer: the rounds of LSH attention together. scores [R, T, K] of each query with the K keys that it meets in
/// each round, the positions of these keys int64 [R, T, K], values [R, T, K, dv] -> [T, dv]. `bug` is what the check
/// must name in one of the listed wrong answers.
struct RoundsAnswer {
  std::string name;
  Var (*together)(const Var& scores, const Tensor& keys, const Var& values);
  std::string bug = "";
};

std::vector<RoundsAnswer> rounds_answers();

}  // namespace attend::chapter14
