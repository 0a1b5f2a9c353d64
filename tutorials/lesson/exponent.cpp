#include "tutorials/lesson/exponent.hpp"

#include <cmath>
#include <cstddef>

namespace attend::lesson {

double exponent(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = static_cast<double>(x.size());
  double sum_x = 0, sum_y = 0, products = 0, squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sum_x += a;
    sum_y += b;
    products += a * b;
    squares += a * a;
  }
  return (products - sum_x * sum_y / n) / (squares - sum_x * sum_x / n);
}

}  // namespace attend::lesson
