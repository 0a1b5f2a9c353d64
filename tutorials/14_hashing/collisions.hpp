#pragma once
#include <vector>

#include "tensor/random.hpp"

/// How often two vectors fall into one bucket: by theory, and counted.

namespace attend::chapter14 {

/// The probability that h(x) = argmax [x R ; −x R] is the same for two vectors at this angle. It depends on nothing
/// else: x R and y R are buckets / 2 pairs of normal numbers, correlated by cos angle. The integral over the pair that
/// is the largest of both is taken on a grid, which is fine enough for angles of 0.1 and more.
double collision_probability(double angle, Size buckets);

/// The same after so many rounds, each with an R of its own: the probability of one bucket in at least one of them.
double in_some_round(double probability, Size rounds);

/// The share of `draws` trials in which two vectors of width 8 at this angle fall into one bucket in some round.
double counted_collisions(double angle, Size buckets, Size rounds, Size draws, Rng& rng);

/// What is to be expected of such a share: its standard deviation.
double standard_error(double probability, Size draws);

}  // namespace attend::chapter14
