// explain: a small backward pass, number by number.
#pragma once
#include "autograd/history.hpp"

namespace attend {

struct ExplainOptions {
  Var gy;                 // the cotangent of y; without it y must have one element, and it is 1
  Size most_steps = 100;  // steps printed; of a longer pass the beginning
};

/// Runs the backward pass of y to all its leaves, the one that `grad` runs, and tells each step: the node, its value
/// where the history kept it, the cotangents it has received and from which step, and what its rule sends to each
/// input.
///
///     3  b = mul(a, a)
///        value     4
///        receives  7  from step 1, mul
///                  4  from step 2, affine
///                  = 11
///        sends     22  to a
///                  22  to a
///
/// A Var without a name is called by its step, "#2". Up to eight numbers are printed, more as their shape and norm
/// √Σ x², and above a million the shape alone. No line is wider than 80 columns. Throws as `grad` does, and
/// std::invalid_argument when most_steps is below 1.
std::string explain(const Var& y, const Names& names = {}, const ExplainOptions& options = {});

}  // namespace attend
