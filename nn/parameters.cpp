#include "nn/parameters.hpp"

#include <unordered_set>

namespace attend {

Vars distinct(const std::vector<NamedVar>& named) {
  std::unordered_set<const Node*> seen;
  Vars leaves;
  for (const auto& [name, parameter] : named) {
    if (seen.insert(parameter.node().get()).second) leaves.push_back(parameter);
  }
  return leaves;
}

}  // namespace attend
