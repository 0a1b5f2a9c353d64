// Vars as text: the numbers, and where they come from.
#pragma once
#include "autograd/var.hpp"
#include "tensor/print.hpp"

namespace attend {

/// to_string of the value, with its origin on the first line: "float32 [2, 3], from tanh", "..., leaf" for a parameter,
/// "..., constant" without a history.
std::string to_string(const Var& x, PrintOptions options = {});

/// Prints to_string(x), without a line break at the end.
std::ostream& operator<<(std::ostream& out, const Var& x);

}  // namespace attend
