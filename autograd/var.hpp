// Var: numbers and how they were made.
#pragma once
#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tensor/tensor.hpp"

namespace attend {

struct Node;

/// A Tensor, the history node that made it, and which of the node's outputs it is. A constant has no history. Values
/// are immutable: an optimizer does not change a parameter, it puts a new Var in its place, and old graphs stay right.
class Var {
 public:
  Var() = default;
  /// A constant: no derivative flows into it.
  Var(Tensor value) : value_(std::move(value)) {}
  /// What `record` makes.
  Var(Tensor value, std::shared_ptr<Node> node, unsigned output = 0)
      : value_(std::move(value)), node_(std::move(node)), output_(output) {}
  /// A leaf: the beginning of a history, for which `grad` can be asked. Throws std::invalid_argument for int64 and
  /// bool, which carry no derivative.
  static Var parameter(Tensor value);

  bool defined() const { return value_.defined(); }
  const Tensor& value() const { return value_; }
  const Shape& shape() const { return value_.shape(); }
  DType dtype() const { return value_.dtype(); }
  Size size() const { return value_.size(); }
  Size rank() const { return value_.rank(); }
  /// The only element. Throws std::invalid_argument when there is not exactly one.
  double item() const { return value_.item(); }

  /// Whether a derivative flows through this Var.
  bool needs_grad() const { return node_ != nullptr; }
  const std::shared_ptr<Node>& node() const { return node_; }
  unsigned output() const { return output_; }

 private:
  Tensor value_;
  std::shared_ptr<Node> node_;
  unsigned output_ = 0;
};

using Vars = std::vector<Var>;

/// The same numbers as a constant.
inline Var detach(const Var& x) { return Var(x.value()); }

/// Whether ops remember how they made their result. Per thread; true in the beginning.
bool recording();

/// Sets `recording` for a scope, and restores it even when the scope is left by an exception:
///     { Recording off(false);  accuracy = evaluate(model); }
class Recording {
 public:
  explicit Recording(bool on);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

 private:
  bool before_;
};

/// Names the sizes of x and checks how many axes it has:   auto [B, T, D] = dims<3>(x);
/// Throws std::invalid_argument when x has another number of axes.
template <std::size_t N>
std::array<Size, N> dims(const Var& x, const char* op = "dims") {
  if (x.rank() != static_cast<Size>(N)) {
    throw std::invalid_argument(std::string(op) + ": needs " + std::to_string(N) + " axes, not " + text(x.shape()));
  }
  std::array<Size, N> sizes;
  for (std::size_t i = 0; i < N; ++i) sizes[i] = x.shape()[static_cast<Size>(i)];
  return sizes;
}

}  // namespace attend

extern template class std::vector<attend::Var>;  // compiled once, in record.cpp
