// What a derivative rule keeps for the backward pass, measured.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "autograd/var.hpp"

namespace attend::chapter01 {

/// An op, its rule as the source has it, and how many tensors of the operands' size its node should keep.
struct Rule {
  std::string op, rule;
  double expected;
  std::function<Var(const Var&, const Var&)> apply;  // to two operands [256, 256]
};

/// Ops whose rules keep nothing, an input, the output, both inputs.
std::vector<Rule> rules();

/// Applies the op to two operands that nobody else holds, lets go of all values, keeps the history alone, and measures
/// the memory that is still in use, in tensors of the operands' size.
double tensors_kept(const Rule& rule);

}  // namespace attend::chapter01
