// What exercise 1 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "autograd/ops.hpp"
#include "tensor/kernels.hpp"

namespace attend::chapter13 {

/// An answer: causal linear attention of features fq, fk [T, m] and values v [T, dv] -> [T, dv], in chunks of c
/// positions; T is a multiple of c. `bug` is what the check must name in one of the listed wrong answers.
struct ChunksAnswer {
  std::string name;
  Var (*attend)(const Var& fq, const Var& fk, const Var& v, Size c);
  std::string bug = "";
};

std::vector<ChunksAnswer> chunks_answers();

}  // namespace attend::chapter13
