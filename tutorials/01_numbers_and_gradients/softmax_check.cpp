#include "tutorials/01_numbers_and_gradients/softmax_check.hpp"

#include <algorithm>
#include <cmath>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "autograd/record.hpp"

namespace attend::chapter_01 {

Var softmax_with_rule_times(const Var& x, double factor) {
  return record("softmax", softmax(detach(x)).value(), {x},
                [factor](V g, Out y) { return factor * (y * (g - sum(g * y, {-1}, true))); });
}

double two_point(const std::function<double(double)>& f, double x, double h) { return (f(x + h) - f(x - h)) / (2 * h); }

double five_point(const std::function<double(double)>& f, double x, double h) {
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

Compared compare(const std::function<Var(const Var&)>& f, const Tensor& x, const Tensor& cotangent) {
  const Var leaf = Var::parameter(x);
  const std::vector<double> analytic = grad(f(leaf), {leaf}, Var(cotangent))[0].value().to_vector();
  const std::vector<double> values = x.to_vector();
  Compared found{0, 0};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto along_element = [&](double moved) {
      std::vector<double> copy = values;
      copy[i] = moved;
      return sum(f(Var(Tensor::from(copy, x.shape(), x.dtype()))) * Var(cotangent)).item();
    };
    const double numeric = five_point(along_element, values[i], 1e-3);
    found.largest_gradient = std::max(found.largest_gradient, std::fabs(analytic[i]));
    found.largest_difference = std::max(found.largest_difference, std::fabs(analytic[i] - numeric));
  }
  return found;
}

}  // namespace attend::chapter_01
