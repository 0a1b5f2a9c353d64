// Derivatives of tanh of any order, twice: by the engine, and as polynomials in t = tanh x.
#pragma once
#include <string>
#include <vector>

#include "autograd/var.hpp"

namespace attend::chapter01 {

/// What the engine gives for one order, at each point, and the size of the history it took.
struct Derivative {
  std::vector<double> values;
  Size nodes;
};

/// tanh and its derivatives up to the given order at the points x [n] (float64), by differentiating the gradient again
/// and again.
std::vector<Derivative> by_engine(const Tensor& x, int highest);

/// A polynomial by its coefficients, constant term first.
using Polynomial = std::vector<double>;

/// The n-th derivative of tanh as a polynomial in t: P₀ = t and Pₙ₊₁ = Pₙ' · (1 − t²), since dt/dx = 1 − t².
Polynomial by_hand(int order);

double value(const Polynomial& p, double t);

/// "1 − t²"
std::string text(const Polynomial& p);

}  // namespace attend::chapter01
