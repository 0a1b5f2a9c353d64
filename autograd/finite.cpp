#include "autograd/finite.hpp"

#include <cmath>

#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

// What is not finite in a tensor.
struct Found {
  bool nan = false, infinite = false;
};

Found found_in(const Var& x) {
  Found found;
  if (!x.defined() || !x.value().has_data() || !is_floating(x.dtype()) || all_finite(x.value())) return found;
  for (double value : x.value().to_vector()) {
    found.nan = found.nan || std::isnan(value);
    found.infinite = found.infinite || std::isinf(value);
  }
  return found;
}

Found found_in(const Vars& xs) {
  Found all;
  for (const Var& x : xs) {
    const Found found = found_in(x);
    all = {all.nan || found.nan, all.infinite || found.infinite};
  }
  return all;
}

std::vector<Shape> shapes_of(const Vars& xs) {
  std::vector<Shape> shapes;
  for (const Var& x : xs) shapes.push_back(x.shape());
  return shapes;
}

std::string kind(const Found& found) { return found.nan ? "NaN" : "inf"; }

// "log [2, 3] -> [2, 3]"
std::string call(const std::string& op, const std::vector<Shape>& inputs, const Shape& output) {
  std::string shapes;
  for (const Shape& input : inputs) shapes += (shapes.empty() ? " " : ", ") + text(input);
  return op + shapes + " -> " + text(output);
}

[[noreturn]] void fail_backward(const Node& node, const Shape& output, const std::string& what) {
  const std::vector<Shape> inputs = shapes_of(node.inputs);
  NotFinite error(std::string("in the ") + text(Pass::backward) + ", " + what + " of " + call(node.op, inputs, output));
  error.pass = Pass::backward;
  error.op = node.op;
  error.inputs = inputs;
  error.output = output;
  throw error;
}

}  // namespace

const char* text(Pass pass) {
  switch (pass) {
    case Pass::forward:
      return "forward pass";
    case Pass::backward:
      return "backward pass";
    case Pass::update:
      break;
  }
  return "update";
}

bool all_finite(const Tensor& x) { return !is_floating(x.dtype()) || kernel::all_finite(x); }

void detail::check_values(const char* op, const std::vector<Tensor>& values, const Vars& inputs) {
  for (const Tensor& value : values) {
    const Found result = found_in(Var(value));
    if (!result.nan && !result.infinite) continue;
    const Found before = found_in(inputs);
    if (!result.nan && before.infinite) continue;
    const std::vector<Shape> shapes = shapes_of(inputs);
    const bool finite = !before.nan && !before.infinite;
    NotFinite error(std::string("in the ") + text(Pass::forward) + ", " + call(op, shapes, value.shape()) + " gave " +
                    kind(result) + (finite ? " from finite inputs" : "; an input held " + kind(before) + " already"));
    error.op = op;
    error.inputs = shapes;
    error.output = value.shape();
    error.inputs_finite = finite;
    throw error;
  }
}

void detail::check_derivative(const Node& node, std::size_t input, const Var& cotangent) {
  const Found found = found_in(cotangent);
  if (!found.nan && !found.infinite) return;
  fail_backward(node, node.outputs[0].shape(),
                kind(found) + " is the derivative with respect to input " + std::to_string(input));
}

void detail::check_cotangents(const Node& node, const Vars& cotangents) {
  for (const Var& cotangent : cotangents) {
    const Found found = found_in(cotangent);
    if (!found.nan && !found.infinite) continue;
    fail_backward(node, cotangent.shape(), kind(found) + " is the sum of the cotangents");
  }
}

}  // namespace attend
