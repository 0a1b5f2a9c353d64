// What exercise 2 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "nn/attention/graph.hpp"

namespace attend::chapter15 {

/// An answer: the scores of GATv2, one for each edge, of h [nodes, in] with the matrices W_target and W_source [in, D]
/// and the vector a [D] -> [E]. `bug` is what the check must name in one of the listed wrong answers.
struct DynamicAnswer {
  std::string name;
  Var (*scores)(const Var& h, const Edges& edges, const Var& W_target, const Var& W_source, const Var& a);
  std::string bug = "";
};

std::vector<DynamicAnswer> dynamic_answers();

}  // namespace attend::chapter15
