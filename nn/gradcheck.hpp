// gradcheck for layers: with respect to the inputs and to all that the layer learns.
#pragma once
#include "autograd/gradcheck.hpp"
#include "nn/parameters.hpp"

namespace attend {

/// The layer with other values in the place of its distinct parameters, in the order of the visit.
template <class Layer>
Layer with_parameters(Layer layer, const Vars& values) {
  std::unordered_map<const Node*, Var> by_leaf;
  const Vars leaves = parameters(layer);
  for (std::size_t i = 0; i < leaves.size(); ++i) by_leaf.emplace(leaves[i].node().get(), values[i]);
  layer.parameters(Visit([&](const std::string&, Var& parameter) { parameter = by_leaf.at(parameter.node().get()); }));
  return layer;
}

/// Checks call(layer, inputs) with respect to the inputs, float64, and then to every distinct parameter, in the order
/// of the visit; the layer is cast to float64 for it. See autograd/gradcheck.hpp.
///     gradcheck_layer("linear", layer, {x}, [](const Linear& layer, const Vars& in) { return layer(in[0]); });
template <class Layer, class Call>
GradcheckReport gradcheck_layer(const std::string& name, const Layer& layer, const std::vector<Tensor>& inputs,
                                const Call& call, const GradcheckOptions& options = {}) {
  const Layer exact = cast(layer, DType::float64);
  std::vector<Tensor> all = inputs;
  for (const Var& parameter : parameters(exact)) all.push_back(parameter.value());

  const auto f = [&](const Vars& xs) {
    const auto first_parameter = xs.begin() + static_cast<std::ptrdiff_t>(inputs.size());
    return call(with_parameters(exact, Vars(first_parameter, xs.end())), Vars(xs.begin(), first_parameter));
  };
  return gradcheck(name, f, all, options);
}

}  // namespace attend
