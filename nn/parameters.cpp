#include "nn/parameters.hpp"

#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "autograd/record.hpp"

template class std::function<void(const std::string&, attend::Var&)>;
template class std::function<void(const std::string&, attend::Tensor&)>;
template class std::vector<attend::NamedVar>;

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

namespace detail {

std::vector<NamedVar> named_parameters(const Visiting& visit_layer) {
  std::vector<NamedVar> named;
  visit_layer(Visit([&](const std::string& name, Var& parameter) { named.emplace_back(name, parameter); }));
  return named;
}

std::vector<NamedVar> named_buffers(const Visiting& visit_layer) {
  std::vector<NamedVar> named;
  visit_layer(Visit([](const std::string&, Var&) {},
                    [&](const std::string& name, Tensor& buffer) { named.emplace_back(name, Var(buffer)); }));
  return named;
}

void rebind(const Visiting& visit_layer, const std::function<Tensor(const Var&, std::size_t)>& f) {
  std::unordered_map<std::shared_ptr<Node>, Var> successors;  // by the old leaf, which it keeps alive meanwhile
  visit_layer(Visit([&](const std::string& name, Var& parameter) {
    check_leaf(name, parameter);
    const std::size_t place = successors.size();
    const auto [slot, first] = successors.try_emplace(parameter.node());
    if (first) slot->second = Var::parameter(f(parameter, place));
  }));
  visit_layer(Visit([&](const std::string&, Var& parameter) { parameter = successors.at(parameter.node()); }));
}

void cast(const Visiting& visit_layer, DType dtype) {
  visit_layer(Visit([](const std::string&, Var&) {},
                    [dtype](const std::string&, Tensor& buffer) {
                      if (is_floating(buffer.dtype())) buffer = attend::cast(Var(buffer), dtype).value();
                    }));
  rebind(visit_layer,
         [dtype](const Var& parameter, std::size_t) { return attend::cast(detach(parameter), dtype).value(); });
}

}  // namespace detail

}  // namespace attend
