// How parameters begin.
#pragma once
#include "autograd/var.hpp"
#include "tensor/random.hpp"

namespace attend {

/// Weights are [in, out], as in y = x W. Each function returns a leaf of float32. Those that take `in` and `out` throw
/// std::invalid_argument when one of them is below 1.

/// Normal with the given mean and standard deviation; uniform in [low, high).
Var normal_init(const Shape& shape, double mean, double deviation, Rng& rng);
Var uniform_init(const Shape& shape, double low, double high, Rng& rng);

/// Variance 2 / (in + out), which keeps the variance of signals and of gradients about the same from layer to layer
/// where the function between them is near linear. Glorot and Bengio, AISTATS 2010. Uniform in ±√(6 / (in + out)), or
/// normal.
Var xavier_uniform(Size in, Size out, Rng& rng);
Var xavier_normal(Size in, Size out, Rng& rng);

/// Variance 2 / in: a relu halves the second moment, and the 2 makes up for it. He et al. 2015 (arXiv:1502.01852).
/// Uniform in ±√(6 / in), or normal.
Var kaiming_uniform(Size in, Size out, Rng& rng);
Var kaiming_normal(Size in, Size out, Rng& rng);

/// A matrix with orthonormal columns (in ≥ out) or rows, uniformly distributed among all of them. Saxe et al. 2013
/// (arXiv:1312.6120). The Q of LAPACK's QR alone is not uniform, since its R has a diagonal of any sign; the columns
/// are multiplied by those signs (Mezzadri 2006, arXiv:math-ph/0609050).
Var orthogonal(Size in, Size out, Rng& rng);

}  // namespace attend
