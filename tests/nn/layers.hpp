// What the tests of layers share: a layer as a function of its inputs and of everything it learns.
#pragma once
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "autograd/history.hpp"
#include "nn/parameters.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

namespace attend::test {

/// A row of the table of layers: f maps the inputs, followed by the layer's parameters, to one result.
struct LayerRow {
  std::string name;
  std::vector<std::string> input_names;  // of the inputs, then of the parameters
  std::function<Var(const Vars&)> f;
  std::vector<Tensor> inputs;
  std::size_t own_inputs = 0;  // how many of them are inputs in the narrow sense
};

/// The layer in float64, with its parameters as further inputs.
template <class Layer, class F>
LayerRow layer_row(const std::string& name, const Layer& layer, const std::vector<Tensor>& inputs, F f) {
  LayerRow row{name, {}, {}, inputs, inputs.size()};
  const Layer exact = cast(layer, DType::float64);
  for (std::size_t i = 0; i < inputs.size(); ++i) row.input_names.push_back("input " + std::to_string(i));
  for (const auto& [parameter_name, parameter] : named_parameters(exact)) {
    row.input_names.push_back(parameter_name);
    row.inputs.push_back(parameter.value());
  }
  row.f = [exact, f, first = inputs.size()](const Vars& xs) {
    Layer layer_of_xs = exact;
    std::size_t next = first;
    layer_of_xs.parameters(Visit([&](const std::string&, Var& parameter) { parameter = xs[next++]; }));
    return f(layer_of_xs, Vars(xs.begin(), xs.begin() + static_cast<std::ptrdiff_t>(first)));
  };
  return row;
}

/// A function without parameters, a loss for instance.
inline LayerRow function_row(const std::string& name, const std::vector<Tensor>& inputs,
                             std::function<Var(const Vars&)> f) {
  LayerRow row{name, {}, std::move(f), inputs, inputs.size()};
  for (std::size_t i = 0; i < inputs.size(); ++i) row.input_names.push_back("input " + std::to_string(i));
  return row;
}

/// The leaves from which y was computed.
inline std::set<const Node*> leaves_of(const Var& y) {
  std::set<const Node*> leaves;
  for (const Node* node : history(y)) {
    if (!node->pullback) leaves.insert(node);
  }
  return leaves;
}

/// The gradients of Σ cotangent · y, with a cotangent of normal numbers: under one of ones, the derivative of a softmax
/// is 0 whatever its rule does.
inline Vars random_gradients(const Var& y, const Vars& xs, std::uint64_t seed = 99) {
  return grad(y, xs, Var(random(y.shape(), y.dtype(), seed)));
}

}  // namespace attend::test
