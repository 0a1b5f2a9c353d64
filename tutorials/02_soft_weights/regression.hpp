#pragma once
#include <string>

#include "nn/attention/attended.hpp"
#include "tensor/random.hpp"

/// Kernel regression: the oldest attention. Nadaraya 1964, Watson 1964.

namespace attend::chapter02 {

/// The estimate as its authors have it, in plain loops:   Σⱼ K(q − kⱼ) vⱼ / Σⱼ K(q − kⱼ),   K(u) = exp(−|u|² / 2h²).
/// query [n, d], key [m, d], value [m, dv] -> [n, dv], all float64.
Tensor kernel_regression(const Tensor& query, const Tensor& key, const Tensor& value, double width);

/// The same as attention: softmax of the scores −|q − k|² / 2h². query [n, d], key [m, d], value [m, dv].
Attended distance_attention(const Var& query, const Var& key, const Var& value, double width);

/// With dot products: the scores q · k / h². Equals the two above when all keys have the same length.
Attended product_attention(const Var& query, const Var& key, const Var& value, double width);

/// Points of a curve, seen with noise.
struct Seen {
  Tensor key, value;    // [60, 1]: places from 0 to 5, and what was seen there
  Tensor query, curve;  // [101, 1]: places to be told about, and what is true there
};
Seen draw_points(Rng& rng);

/// √ of the mean square of a − b.
double root_mean_square(const Tensor& a, const Tensor& b);

}  // namespace attend::chapter02
