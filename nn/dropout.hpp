#pragma once
#include "autograd/ops.hpp"
#include "tensor/random.hpp"

namespace attend {

/// What a stochastic layer gets in the place of an Rng when it is not being trained: it then draws nothing.
constexpr Rng* evaluation = nullptr;

/// Dropout. Srivastava et al., JMLR 2014.
///   training:    y = x · m / (1 − p), with m = 0 with probability p and 1 otherwise, drawn for each element
///   evaluation:  y = x
/// The paper scales the weights at evaluation; dividing in training ("inverted dropout") gives the same expectation and
/// leaves evaluation alone. With p = 1 the result is 0. Throws std::invalid_argument when p is not within [0, 1].
Var dropout(const Var& x, double p, Rng* rng);

}  // namespace attend
