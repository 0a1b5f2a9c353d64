#pragma once
#include <vector>

#include "nn/attention/graph.hpp"

/// The example that the page works out on paper.

namespace attend::chapter15 {

/// Four nodes, 0 -> 2 and 1 -> 2; node 3 is alone.
Edges paper_edges();
/// The same with a self-loop at each node; `twice` adds them once more, which is wrong.
Edges paper_edges_with_loops(bool twice = false);

/// Graph attention with W = 1 and a = (1, 1) of the nodes' values 1, 2, −1, 5.
struct PaperResult {
  std::vector<double> weights, y;  // of each edge, of each node
};
PaperResult paper_attention(const Edges& edges);

}  // namespace attend::chapter15
