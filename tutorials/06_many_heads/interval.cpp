#include "tutorials/06_many_heads/interval.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace attend::chapter06 {
namespace {

// Γ((ν + 1) / 2) / (√(πν) Γ(ν / 2)) · (1 + t² / ν)^(−(ν + 1) / 2)
double student_density(double t, double freedom) {
  const double log_factor = std::lgamma((freedom + 1) / 2) - std::lgamma(freedom / 2) - std::log(M_PI * freedom) / 2;
  return std::exp(log_factor - (freedom + 1) / 2 * std::log1p(t * t / freedom));
}

}  // namespace

double student_probability(double t, Size freedom) {
  constexpr Size pieces = 2000;  // Simpson's rule from 0 to t
  const double nu = static_cast<double>(freedom), step = t / pieces;
  double area = student_density(0, nu) + student_density(t, nu);
  for (Size i = 1; i < pieces; ++i) area += (i % 2 == 1 ? 4 : 2) * student_density(static_cast<double>(i) * step, nu);
  return 0.5 + area * step / 3;
}

double student_quantile(double confidence, Size freedom) {
  const double wanted = (1 + confidence) / 2, nu = static_cast<double>(freedom);
  double t = 0;  // to the right of 0 the probability bends down, so that Newton's steps never go too far
  for (Size i = 0; i < 20; ++i) t += (wanted - student_probability(t, freedom)) / student_density(t, nu);
  return t;
}

Interval interval_of(const std::vector<double>& differences, double overlap) {
  const double n = static_cast<double>(differences.size());
  if (n < 2) throw std::invalid_argument("interval_of: two differences are needed, not " + std::to_string(n));
  const double mean = std::accumulate(differences.begin(), differences.end(), 0.0) / n;
  double squares = 0;
  for (const double difference : differences) squares += (difference - mean) * (difference - mean);
  const double variance = squares / (n - 1);
  const double t = student_quantile(0.95, lesson::size_of(differences) - 1);
  const double reach = t * std::sqrt(variance * (1 / n + overlap));
  return {mean, mean - reach, mean + reach};
}

std::vector<double> paired_differences(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) {
    throw std::invalid_argument("paired_differences: " + std::to_string(a.size()) + " and " + std::to_string(b.size()));
  }
  std::vector<double> differences(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) differences[i] = a[i] - b[i];
  return differences;
}

}  // namespace attend::chapter06
