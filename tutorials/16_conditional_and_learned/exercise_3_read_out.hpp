// What exercise 3 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "autograd/ops.hpp"

namespace attend::chapter16 {

/// An answer: probabilities [n, C] of the classes for the queries [n, d], by examples [m, d] with labels int64 [m].
/// `bug` is what the check must name in one of the listed wrong answers.
struct ReadOutAnswer {
  std::string name;
  Var (*classify)(const Var& queries, const Var& examples, const Tensor& labels, Size C, double sharpness);
  std::string bug = "";
};

std::vector<ReadOutAnswer> read_out_answers();

}  // namespace attend::chapter16
