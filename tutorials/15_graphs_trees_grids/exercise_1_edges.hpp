// What exercise 1 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "nn/attention/graph.hpp"
#include "tensor/kernels.hpp"

namespace attend::chapter15 {

/// An answer: attention along edges, of scores [E] and values [nodes, d] -> [nodes, d]. `bug` is what the check must
/// name in one of the listed wrong answers.
struct EdgesAnswer {
  std::string name;
  Var (*attend)(const Var& scores, const Var& values, const Edges& edges);
  std::string bug = "";
};

std::vector<EdgesAnswer> edges_answers();

}  // namespace attend::chapter15
