#pragma once

#include <vector>

#include "tutorials/lesson/size.hpp"

/// How far a mean of few numbers can be trusted.

namespace attend::chapter06 {

using lesson::Size;

/// P(T < t) for Student's t with `freedom` degrees of freedom.
double student_probability(double t, Size freedom);

/// The t with P(−t < T < t) = confidence: 2.776 for 4 degrees of freedom and 0.95.
double student_quantile(double confidence, Size freedom);

struct Interval {
  double mean, low, high;
  bool holds(double x) const { return low <= x && x <= high; }
};

/// The 95 % interval of the mean of n paired differences:
///   mean ± t · s · √(1/n + overlap)         s² = Σ (difference − mean)² / (n − 1)
/// where t is Student's with n − 1 degrees of freedom.
///
/// With overlap = 0 this is the textbook's: in 95 of 100 repetitions it holds the true mean, if the differences are
/// independent. Those of cross-validation are not, because any two folds share most of what they were trained on.
/// Nadeau and Bengio 2003 widen it by overlap = test sentences / training sentences, 1/4 with five folds.
///
/// Throws std::invalid_argument for fewer than two differences.
Interval interval_of(const std::vector<double>& differences, double overlap = 0);

/// a − b, place by place. Throws std::invalid_argument when they are not of one length.
std::vector<double> paired_differences(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace attend::chapter06
