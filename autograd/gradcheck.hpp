// gradcheck: are the derivatives right? Part of the library, because whoever writes an op or a layer needs it.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "autograd/var.hpp"

namespace attend {

struct GradcheckOptions {
  int order = 2;             // 1: the gradient. 2: its own gradient too.
  double step = 1e-3;        // h of the five-point difference
  double limit = 1e-8;       // the largest error that passes
  Size most_elements = 256;  // of a larger input, this many elements drawn at random are checked
  std::uint64_t seed = 1;    // of the random cotangent, direction and draw
};

/// What was found for one input at one order.
struct GradcheckInput {
  int order = 1;
  std::size_t input = 0;  // the number of the input; one more than the last is the cotangent, at order 2
  Shape shape;
  double error = 0;        // max |analytic − numeric| / max |analytic|; of a zero gradient max |numeric|
  bool zero = false;       // the analytic gradient is exactly 0 everywhere
  bool too_small = false;  // it is not 0, but below 1e-3 everywhere: the check would prove nothing
  Size index = 0;          // where the difference is largest, in row-major order
  double analytic = 0, numeric = 0;
  std::vector<double> differences;  // |analytic − numeric| of each element; 0 where it was not drawn
};

struct GradcheckReport {
  std::string name;
  std::vector<GradcheckInput> inputs;
  double limit = 0;

  /// The largest error of all inputs and orders.
  double worst() const;
  /// Whether every error is within the limit, no gradient is too small to prove anything, and some gradient is not 0.
  bool passed() const;
  /// A line per input and order, worst first: order, input, shape, index, analytic, numeric, error. At most 80 columns.
  /// A line of a zero gradient begins with 0, of one that is too small with !.
  std::string text() const;
};

/// Compares the derivatives of f with five-point central differences
///     f'(x) ≈ (8 (f(x+h) − f(x−h)) − (f(x+2h) − f(x−2h))) / 12h.
/// f maps Vars to one Var and must be a function: no randomness, no state. It is reduced to a number by a random
/// cotangent: under a cotangent of ones the gradient of softmax is 0, and a rule wrong by any factor would pass. At
/// order 2 the gradient itself, along a random direction, is checked in the same way, with respect to the inputs and
/// the cotangent. Throws std::invalid_argument for inputs that are not float64: in float32 the differences have no
/// digits left.
GradcheckReport gradcheck(const std::string& name, const std::function<Var(const Vars&)>& f,
                          const std::vector<Tensor>& inputs, const GradcheckOptions& options = {});

}  // namespace attend
