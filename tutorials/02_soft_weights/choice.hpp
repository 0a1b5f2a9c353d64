#pragma once
#include "autograd/var.hpp"

/// Hard choice and soft weights.

namespace attend::chapter02 {

/// softmax(scores / temperature), over the last axis.
Var soft_choice(const Var& scores, double temperature);

/// 1 at the largest score of each row, else 0. No derivative flows through it.
Tensor hard_choice(const Tensor& scores);

/// The largest of all absolute values.
double largest(const Tensor& x);

}  // namespace attend::chapter02
