#pragma once
#include "nn/attention/graph.hpp"

namespace attend::chapter15 {

/// The largest of the scores [E] that lead to each node: [nodes], without history; 0 where none does.
Tensor largest_by_target(const Var& scores, const Edges& edges);

}  // namespace attend::chapter15
