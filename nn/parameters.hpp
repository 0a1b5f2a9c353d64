// Parameters: how to find the numbers that a layer learns. A layer is a plain struct with one function,
//
//   void parameters(const Visit& visit) { visit("v", v); visit("query_projection", query_projection); }
//
// and everything else (counting, optimizing, casting, saving) is built on it. Numbers that a layer keeps without
// learning them, such as running statistics, are buffers: visit.buffer("running_mean", running_mean). They are cast and
// saved only.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"

namespace attend {

/// Visits parameters, each under its name; the names of a child layer's parameters begin with the child's own:
/// "encoder.gru.input_weight".
class Visit {
 public:
  using Function = std::function<void(const std::string& name, Var& parameter)>;
  using BufferFunction = std::function<void(const std::string& name, Tensor& buffer)>;
  explicit Visit(Function function, BufferFunction buffer_function = {}, std::string prefix = "")
      : function_(std::move(function)), buffer_function_(std::move(buffer_function)), prefix_(std::move(prefix)) {}

  /// A parameter. One that is undefined (a bias that a layer goes without) is passed over.
  void operator()(const std::string& name, Var& parameter) const {
    if (parameter.defined()) function_(prefix_ + name, parameter);
  }
  /// Numbers that the layer keeps without learning them. Most visits pass them over.
  void buffer(const std::string& name, Tensor& values) const {
    if (buffer_function_) buffer_function_(prefix_ + name, values);
  }
  /// A child layer.
  template <class Layer>
  auto operator()(const std::string& name, Layer& layer) const -> decltype(layer.parameters(*this)) {
    layer.parameters(Visit(function_, buffer_function_, prefix_ + name + "."));
  }
  /// A list of child layers, under their numbers.
  template <class Layer>
  void operator()(const std::string& name, std::vector<Layer>& layers) const {
    for (std::size_t i = 0; i < layers.size(); ++i) (*this)(name + "." + std::to_string(i), layers[i]);
  }

 private:
  Function function_;
  BufferFunction buffer_function_;
  std::string prefix_;
};

using NamedVar = std::pair<std::string, Var>;

// What follows works for every type of layer, and each function is a template of a line or two around one in `detail`
// that is compiled once.
namespace detail {

/// Visits all that some layer has.
using Visiting = std::function<void(const Visit&)>;

template <class Layer>
Visiting visiting(Layer& layer) {
  return [&layer](const Visit& visit) { layer.parameters(visit); };
}
std::vector<NamedVar> named_parameters(const Visiting& visit_layer);
std::vector<NamedVar> named_buffers(const Visiting& visit_layer);
void rebind(const Visiting& visit_layer, const std::function<Tensor(const Var&, std::size_t)>& f);
void cast(const Visiting& visit_layer, DType dtype);

}  // namespace detail

/// Every name with its parameter, in the order of the visit. Tied parameters appear under each of their names.
template <class Layer>
std::vector<NamedVar> named_parameters(const Layer& layer) {
  Layer copy = layer;  // shares the numbers; visiting is not const
  return detail::named_parameters(detail::visiting(copy));
}

/// Calls f(name, tensor) for every buffer of the layer, which it may replace.
template <class Layer>
void each_buffer(Layer& layer, const Visit::BufferFunction& f) {
  layer.parameters(Visit([](const std::string&, Var&) {}, f));
}

/// Every buffer's name with its numbers as a constant, in the order of the visit.
template <class Layer>
std::vector<NamedVar> named_buffers(const Layer& layer) {
  Layer copy = layer;
  return detail::named_buffers(detail::visiting(copy));
}

/// Throws std::invalid_argument, with the name, unless the parameter is a leaf. A constant, or the result of an op,
/// cannot be tied, stepped or loaded.
void check_leaf(const std::string& name, const Var& parameter);

/// The parameters as leaves for `grad`, tied ones once. Throws std::invalid_argument for one that is no leaf.
Vars distinct(const std::vector<NamedVar>& named);
template <class Layer>
Vars parameters(const Layer& layer) {
  return distinct(named_parameters(layer));
}

/// How many numbers the layer learns; tied ones count once.
template <class Layer>
Size parameter_count(const Layer& layer) {
  Size count = 0;
  for (const Var& parameter : parameters(layer)) count += parameter.size();
  return count;
}

/// Puts f(parameter, its place among the distinct ones) into the place of every parameter, as a new leaf. A leaf that
/// is met twice gets one successor, so that tied weights stay tied. All successors are made before the first is put in
/// place: when f throws, the layer is as before. Throws std::invalid_argument for a parameter that is no leaf.
template <class Layer>
void rebind(Layer& layer, const std::function<Tensor(const Var& parameter, std::size_t place)>& f) {
  detail::rebind(detail::visiting(layer), f);
}

/// The layer with its parameters and buffers in another dtype: float32 to train, float64 to check. A buffer of indices
/// or of booleans stays what it is.
template <class Layer>
Layer cast(Layer layer, DType dtype) {
  detail::cast(detail::visiting(layer), dtype);
  return layer;
}

}  // namespace attend

// Compiled once, in parameters.cpp.
extern template class std::function<void(const std::string&, attend::Var&)>;
extern template class std::function<void(const std::string&, attend::Tensor&)>;
extern template class std::vector<attend::NamedVar>;
