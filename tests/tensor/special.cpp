// The functions of float32 that the kernels compute in their own way, against the C library over the whole range.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "tensor/kernels.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// Every 9973rd number of float32, of either sign, from 0 to the largest: 430,000.
std::vector<double> all_over_float32() {
  std::vector<double> numbers;
  for (std::uint32_t bits = 0; bits < 0x7f800000u; bits += 9973) {
    float x = 0;
    std::memcpy(&x, &bits, sizeof x);
    numbers.push_back(x);
    numbers.push_back(-x);
  }
  return numbers;
}

// The distance to the next number of float32.
double unit_in_last_place(double x) {
  const float here = std::fabs(static_cast<float>(x));
  return std::nextafter(here, INFINITY) - here;
}

double normal_distribution(double x) { return std::erfc(-x * std::sqrt(0.5)) / 2; }

// How often |found − right(x)| is greater than allowed(x, right(x)).
template <class Right, class Allowed>
int count_wrong(Tensor (*kernel)(const Tensor&), Right right, Allowed allowed) {
  const std::vector<double> x = all_over_float32();
  const std::vector<double> y = kernel(Tensor::from(x, {static_cast<Size>(x.size())}, DType::float32)).to_vector();
  int wrong = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = right(x[i]);
    if (std::fabs(y[i] - expected) <= allowed(x[i], expected)) continue;
    if (++wrong == 1) MESSAGE("first at ", x[i], ": ", y[i], " for ", expected);
  }
  return wrong;
}

}  // namespace

TEST_CASE("tanh is within 5 units in the last place everywhere, and never beyond 1") {
  CHECK(count_wrong(
            kernel::tanh, [](double x) { return std::tanh(x); },
            [](double, double y) { return 5 * unit_in_last_place(y); }) == 0);
  CHECK(count_wrong(
            kernel::tanh, [](double) { return 0; }, [](double, double) { return 1; }) == 0);
}

// Of the quotient of polynomials, one in a hundred numbers between 8 and 9 is rounded to the float after 1.
TEST_CASE("tanh is never beyond 1 where its polynomials come closest to it") {
  std::vector<double> close;
  for (int i = 0; i < 90000; ++i) close.push_back(8.2 + 1e-5 * i);
  const Tensor x = Tensor::from(close, {90000});
  CHECK(kernel::max(kernel::tanh(x), {0}, false).item() == 1);
  CHECK(kernel::min(kernel::tanh(kernel::mul(x, Tensor::full({}, -1))), {0}, false).item() == -1);
}

// The error of exp(−x²/2) is that of x²/2, rounded: so many units more. Where the result is below 1e-36, it may be 0.
TEST_CASE("gelu is within 5 + x² units in the last place everywhere") {
  CHECK(count_wrong(
            kernel::gelu, [](double x) { return x * normal_distribution(x); },
            [](double x, double y) {
              return (5 + (x < 0 ? std::fmin(x * x, 200) : 0)) * unit_in_last_place(y) + 1e-36;
            }) == 0);
}

TEST_CASE("the derivative of gelu is within 6 + x² units of the larger of its two terms everywhere") {
  const auto slope = [](const Tensor& x) { return kernel::gelu_backward(Tensor::ones({}, x.dtype()), x); };
  CHECK(count_wrong(
            slope, [](double x) { return normal_distribution(x) + x * std::exp(-x * x / 2) / std::sqrt(2 * M_PI); },
            [](double x, double y) {
              const double larger = std::fmax(std::fabs(y), normal_distribution(x));
              return (6 + (x < 0 ? std::fmin(x * x, 200) : 0)) * unit_in_last_place(larger) + 2e-36;
            }) == 0);
}
