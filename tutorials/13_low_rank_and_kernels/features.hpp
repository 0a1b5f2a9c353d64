#pragma once
#include "nn/attention/performer.hpp"

/// Random features of the softmax kernel: are they right on average, where are they far off, and what may be taken off
/// their exponents?

namespace attend::chapter13 {

/// How directions are drawn: as the layer does, or by the Q of LAPACK's QR decomposition as it comes.
enum class Directions : unsigned char { orthogonal, raw_qr };

/// What φ(x) · φ(y) is over many draws, as shares of exp(x · y).
struct Estimate {
  double mean, standard_error;
  double error;   // √ of the mean square error
  double theory;  // the same for independent directions: lemma 2 of the paper
};
/// For x and y [d] and m directions.
Estimate estimate(const Tensor& x, const Tensor& y, Size m, SoftmaxFeatures kind, Size draws, std::uint64_t seed,
                  Directions how = Directions::orthogonal);

/// A vector of this length whose numbers are all alike.
Tensor along_diagonal(Size d, double length);

/// A Performer's φ(q) and φ(k), of which the largest exponent of every single key was taken off: it looks like the
/// usual care with exp, but does not cancel.
Var lowered_key_by_key(const Performer& layer, const Var& q, const Var& k, const Var& v);

/// Linear attention that hides padding as one hides it from softmax, in front of the features: φ(0) is not 0.
Var with_zeroed_keys(const Var& q, const Var& k, const Var& v, const Mask& mask);

}  // namespace attend::chapter13
