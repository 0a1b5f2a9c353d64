#include "nn/parameters.hpp"

#include <stdexcept>
#include <unordered_set>

#include "autograd/record.hpp"

namespace attend {

void check_leaf(const std::string& name, const Var& parameter) {
  if (parameter.needs_grad() && !parameter.node()->pullback) return;
  throw std::invalid_argument("parameter \"" + name + "\" " + text(parameter.shape()) + " is " +
                              (parameter.needs_grad() ? "the result of an op" : "a constant") +
                              "; make it with Var::parameter");
}

Vars distinct(const std::vector<NamedVar>& named) {
  std::unordered_set<const Node*> seen;
  Vars leaves;
  for (const auto& [name, parameter] : named) {
    check_leaf(name, parameter);
    if (seen.insert(parameter.node().get()).second) leaves.push_back(parameter);
  }
  return leaves;
}

}  // namespace attend
