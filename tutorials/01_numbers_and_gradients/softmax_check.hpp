// A gradient check in 20 lines, and two cotangents to run it under. Under one of them it cannot fail.
#pragma once
#include <functional>

#include "autograd/var.hpp"

namespace attend::chapter_01 {

/// Softmax over the last axis with a derivative rule that is too large by the given factor: 1 is right.
Var softmax_with_rule_times(const Var& x, double factor);

/// What a comparison with differences found.
struct Compared {
  double largest_gradient;    // max |analytic|
  double largest_difference;  // max |analytic − numeric|
  /// Whether the check calls the rule right: the difference is below 1e-8.
  bool passes() const { return largest_difference < 1e-8; }
};

/// (f(x+h) − f(x−h)) / 2h with h, and the five-point form, whose error falls with h⁴ in place of h².
double two_point(const std::function<double(double)>& f, double x, double h);
double five_point(const std::function<double(double)>& f, double x, double h);

/// Compares the gradient of Σ cotangent · f(x) with five-point differences, element by element of x (float64).
Compared compare(const std::function<Var(const Var&)>& f, const Tensor& x, const Tensor& cotangent);

}  // namespace attend::chapter_01
