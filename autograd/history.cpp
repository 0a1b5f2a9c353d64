#include "autograd/history.hpp"

namespace attend {

std::vector<const Node*> history(const Var& y) {
  std::vector<const Node*> nodes;
  std::map<std::uint64_t, const Node*> waiting;  // by id; a node is younger than its inputs, so the last is next
  if (y.needs_grad()) waiting[y.node()->id] = y.node().get();
  while (!waiting.empty()) {
    const Node* youngest = waiting.rbegin()->second;
    waiting.erase(youngest->id);
    nodes.push_back(youngest);
    for (const Var& input : youngest->inputs) {
      if (input.needs_grad()) waiting[input.node()->id] = input.node().get();
    }
  }
  return nodes;
}

}  // namespace attend
