#pragma once
#include <vector>

#include "nn/position/three_d.hpp"
#include "tensor/tensor.hpp"
#include "tutorials/lesson/chart.hpp"
#include "tutorials/lesson/heatmap.hpp"

/// What can be said of positions without any training. All in float64.

namespace attend::chapter07 {

/// The matrix R(k) that shifts sinusoids of that width by k positions, whatever the position:  P(p + k) = R(k) P(p).
/// [width, width], even width. For each frequency ω it turns one pair (sin, cos) by the angle k ω:
///   sin(pω + kω) =   cos(kω) sin(pω) + sin(kω) cos(pω)
///   cos(pω + kω) = − sin(kω) sin(pω) + cos(kω) cos(pω)
Tensor shift_map(Size k, Size width);

/// max |P(p + k) − R(k) P(p)| over the positions p = 0 .. T − 1.
double shift_residual(Size k, Size T, Size width);

/// The turns of rotary positions: cosine and sine of p · 10000^(−2i / d) for the positions p = 0 .. T − 1 and the pairs
/// i = 0 .. d/2 − 1. [T, d/2]
struct Turns {
  Tensor cosine, sine;
};
Turns turns(Size T, Size d);

/// How the product of a query and a key, divided by √d, changes with their distance, and with where the two stand.
enum class Meeting {
  added,  // (q + P(p)) · (k + P(p − distance)): sinusoids are added first
  turned  // rotary
};
/// query, key [d] -> over the positions p = first .. first + count − 1 of the query: lowest, mean and highest.
lesson::Spread product_at(Meeting meeting, const Tensor& query, const Tensor& key, Size distance, Size first,
                          Size count);

/// products [n, n] of the n positions of an extent (time, height, width; width fastest): the largest difference of two
/// products whose positions have the same three distances. 0 where a product depends on distances only.
double spread_by_distance(const Tensor& products, const Extent& extent);

/// Sinusoids as a picture: a row for each position, a column for each of the `width` numbers.
lesson::HeatMap sinusoid_map(Size T, Size width);

}  // namespace attend::chapter07
