#include "autograd/history.hpp"

namespace attend {

std::vector<const Node*> history(const Var& y) { return history(Vars{y}, 0); }

std::vector<const Node*> history(const Vars& ys, std::uint64_t oldest) {
  std::vector<const Node*> nodes;
  std::map<std::uint64_t, const Node*> waiting;  // by id; a node is younger than its inputs, so the last is next
  const auto wait = [&](const Var& x) {
    if (x.needs_grad() && x.node()->id >= oldest) waiting[x.node()->id] = x.node().get();
  };
  for (const Var& y : ys) wait(y);
  while (!waiting.empty()) {
    const Node* youngest = waiting.rbegin()->second;
    waiting.erase(youngest->id);
    nodes.push_back(youngest);
    for (const Var& input : youngest->inputs) wait(input);
  }
  return nodes;
}

}  // namespace attend
