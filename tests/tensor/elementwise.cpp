// The kernels that work element by element, against the functions of the standard library.
#include <doctest/doctest.h>

#include <cmath>

#include "tensor/kernels.hpp"
#include "tensor/parallel.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/special.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

struct Unary {
  std::string name;
  Tensor (*kernel)(const Tensor&);
  double (*oracle)(double);
};

double gauss(double x) { return x * std::erfc(-x * std::sqrt(0.5)) / 2; }
double gauss_slope(double x) {
  return std::erfc(-x * std::sqrt(0.5)) / 2 + x * std::exp(-x * x / 2) / std::sqrt(2 * M_PI);
}
Tensor gelu_slope(const Tensor& x) { return kernel::gelu_backward(Tensor::ones({}, x.dtype()), x); }

const std::vector<Unary> unary = {
    {"exp", kernel::exp, std::exp},
    {"log", kernel::log, std::log},
    {"log1p", kernel::log1p, std::log1p},
    {"expm1", kernel::expm1, std::expm1},
    {"sqrt", kernel::sqrt, std::sqrt},
    {"sin", kernel::sin, std::sin},
    {"cos", kernel::cos, std::cos},
    {"erf", kernel::erf, std::erf},
    {"abs", kernel::abs, std::fabs},
    {"tanh", kernel::tanh, std::tanh},
    {"sigmoid", kernel::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"gelu", kernel::gelu, gauss},
    {"gelu_slope", gelu_slope, gauss_slope},
    {"softplus", kernel::softplus, [](double x) { return std::log1p(std::exp(x)); }},
    {"relu", kernel::relu, [](double x) { return x > 0 ? x : 0; }},
    {"leaky_relu", [](const Tensor& x) { return kernel::leaky_relu(x, 0.25); },
     [](double x) { return x > 0 ? x : 0.25 * x; }},
    {"clamp", [](const Tensor& x) { return kernel::clamp(x, 0.75, 1.5); },
     [](double x) { return x < 0.75  ? 0.75
                           : x > 1.5 ? 1.5
                                     : x; }},
    {"affine", [](const Tensor& x) { return kernel::affine(x, 3, -0.5); }, [](double x) { return 3 * x - 0.5; }},
    {"times", [](const Tensor& x) { return kernel::affine(x, 3, 0); }, [](double x) { return 3 * x; }},
    {"minus", [](const Tensor& x) { return kernel::affine(x, -1, 0); }, [](double x) { return -x; }},
};

struct Binary {
  std::string name;
  Tensor (*kernel)(const Tensor&, const Tensor&);
  double (*oracle)(double, double);
};

const std::vector<Binary> binary = {
    {"add", kernel::add, [](double a, double b) { return a + b; }},
    {"sub", kernel::sub, [](double a, double b) { return a - b; }},
    {"mul", kernel::mul, [](double a, double b) { return a * b; }},
    {"div", kernel::div, [](double a, double b) { return a / b; }},
    {"blend", [](const Tensor& a, const Tensor& b) { return kernel::blend(3, a, -0.5, b); },
     [](double a, double b) { return 3 * a - 0.5 * b; }},
    {"pow", kernel::pow, [](double a, double b) { return std::pow(a, b); }},
    {"maximum", kernel::maximum, [](double a, double b) { return a > b ? a : b; }},
    {"minimum", kernel::minimum, [](double a, double b) { return a < b ? a : b; }},
    {"tanh_backward", kernel::tanh_backward, [](double g, double y) { return g * (1 - y * y); }},
    {"sigmoid_backward", kernel::sigmoid_backward, [](double g, double y) { return g * y * (1 - y); }},
    {"gelu_backward", kernel::gelu_backward, [](double g, double x) { return g * gauss_slope(x); }},
};

// In [0.5, 2), where all of the functions are defined.
Tensor positive(const Shape& shape, DType dtype, std::uint64_t seed = 3) {
  Rng rng(seed);
  return rng.uniform(shape, 0.5, 2, dtype);
}

double tolerance(DType dtype) { return dtype == DType::float32 ? 1e-6 : 2e-15; }

std::vector<double> mapped(const Tensor& x, double (*f)(double)) {
  std::vector<double> values = x.to_vector();
  for (double& value : values) value = f(value);
  return values;
}

std::vector<double> zipped(const Tensor& a, const Tensor& b, double (*f)(double, double)) {
  std::vector<double> values = a.to_vector();
  const std::vector<double> others = b.to_vector();
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = f(values[i], others[i]);
  return values;
}

}  // namespace

TEST_CASE("where both operands repeat a number, so does the result, with the bits of the dense ones") {
  for (Size count : {1, 2, 7, 8, 9, 300}) {
    const Tensor a = random({3, 1}, DType::float32, 2), b = random({3, 1}, DType::float32, 3);
    const Tensor wide_a = broadcast_to(a, {3, count}), wide_b = broadcast_to(b, {3, count});
    CHECK(same_bits(kernel::mul(wide_a, wide_b), kernel::mul(contiguous(wide_a), contiguous(wide_b))));
    CHECK(same_bits(kernel::sub(wide_a, wide_b), kernel::sub(contiguous(wide_a), contiguous(wide_b))));
  }
}

TEST_CASE("functions of one operand are right for every length, type and kind of view") {
  for (const Unary& f : unary) {
    for (DType dtype : {DType::float32, DType::float64}) {
      for (const Shape& shape : {Shape{}, Shape{1}, Shape{7}, Shape{8}, Shape{33}, Shape{3, 5}, Shape{2, 3, 9},
                                 Shape{4, 1, 3}, Shape{2, 0}, Shape{300, 2}}) {
        const Tensor x = positive(shape, dtype);
        const std::vector<double> expected = mapped(x, f.oracle);
        INFO(f.name, " ", name_of(dtype), " ", text(shape));
        check_close(f.kernel(x), shape, expected, tolerance(dtype), tolerance(dtype));
        CHECK(f.kernel(x).dtype() == dtype);
        for (const View& view : views_of(x)) {
          INFO(view.name);
          check_close(f.kernel(view.tensor), shape, expected, tolerance(dtype), tolerance(dtype));
        }
      }
    }
  }
}

TEST_CASE("functions of two operands are right for every pair of views") {
  for (const Binary& f : binary) {
    for (DType dtype : {DType::float32, DType::float64}) {
      for (const Shape& shape : {Shape{}, Shape{9}, Shape{3, 5}, Shape{2, 3, 8}, Shape{0, 3}, Shape{2, 301}}) {
        const Tensor a = positive(shape, dtype, 3), b = positive(shape, dtype, 4);
        const std::vector<double> expected = zipped(a, b, f.oracle);
        INFO(f.name, " ", name_of(dtype), " ", text(shape));
        check_close(f.kernel(a, b), shape, expected, tolerance(dtype), tolerance(dtype));
        for (const View& of_a : views_of(a)) {
          check_close(f.kernel(of_a.tensor, b), shape, expected, tolerance(dtype), tolerance(dtype));
          for (const View& of_b : views_of(b)) {
            INFO(of_a.name, " and ", of_b.name);
            check_close(f.kernel(of_a.tensor, of_b.tensor), shape, expected, tolerance(dtype), tolerance(dtype));
          }
        }
      }
    }
  }
}

TEST_CASE("operands broadcast, whichever comes first (O-06)") {
  const Shape shape{3, 4};
  const Tensor a = positive(shape, DType::float64, 3);
  for (const Shape& other : {Shape{4}, Shape{3, 1}, Shape{1, 4}, Shape{1, 1}, Shape{1}, Shape{}}) {
    const Tensor b = positive(other, DType::float64, 4), wide = contiguous(broadcast_to(b, shape));
    for (const Binary& f : binary) {
      INFO(f.name, " with ", text(other));
      check_close(f.kernel(a, b), shape, zipped(a, wide, f.oracle), 2e-15, 2e-15);
      check_close(f.kernel(b, a), shape, zipped(wide, a, f.oracle), 2e-15, 2e-15);
    }
  }
  check_close(kernel::sub(numbers({1, 2}, {2, 1}), numbers({10, 20, 30}, {3})), {2, 3}, {-9, -19, -29, -8, -18, -28},
              0);
}

TEST_CASE("operands that do not broadcast, or have two types, are named with both shapes (O-10)") {
  const Tensor a = Tensor::zeros({3, 1, 2}), b = Tensor::zeros({4, 3});
  for (const Binary& f : binary) {
    check_throws_with([&] { f.kernel(a, b); }, {f.name, "[3, 1, 2]", "[4, 3]"});
    check_throws_with([&] { f.kernel(a, Tensor::zeros({2}, DType::float64)); },
                      {f.name, "float32", "float64", "[3, 1, 2]", "[2]"});
    check_throws_with([&] { f.kernel(Tensor::zeros({2}, DType::int64), Tensor::zeros({2}, DType::int64)); },
                      {f.name, "int64", "[2]"});
  }
  check_throws_with([&] { kernel::exp(Tensor::from_bools({true}, {1})); }, {"exp", "bool", "[1]"});
}

TEST_CASE("an element's bits do not depend on its place, its address or its neighbours") {
  for (DType dtype : {DType::float32, DType::float64}) {
    const Tensor x = positive({37}, dtype);
    for (const Unary& f : unary) {
      INFO(f.name, " ", name_of(dtype));
      const Tensor whole = f.kernel(x);
      for (Size i = 0; i < 37; ++i) CHECK(same_bits(f.kernel(slice(x, 0, i, 1)), slice(whole, 0, i, 1)));
      for (Size start : {1, 2, 3, 5, 7}) {
        const Size count = 37 - start;
        CHECK(same_bits(f.kernel(slice(x, 0, start, count)), slice(whole, 0, start, count)));
        CHECK(same_bits(f.kernel(slice(x, 0, 36, 1 + (36 - start) / 2, -2)),
                        slice(whole, 0, 36, 1 + (36 - start) / 2, -2)));
      }
    }
    const Tensor y = positive({37}, dtype, 5);
    for (const Binary& f : binary) {
      INFO(f.name, " ", name_of(dtype));
      const Tensor whole = f.kernel(x, y), by_first = f.kernel(slice(x, 0, 0, 1), y);
      for (Size i = 0; i < 37; ++i) {
        CHECK(same_bits(f.kernel(slice(x, 0, i, 1), slice(y, 0, i, 1)), slice(whole, 0, i, 1)));
        CHECK(same_bits(f.kernel(slice(x, 0, 0, 1), slice(y, 0, i, 1)), slice(by_first, 0, i, 1)));
      }
      check_agree(f.kernel(reshape(x, {37, 1}), reshape(y, {1, 37})),
                  f.kernel(broadcast_to(reshape(x, {37, 1}), {37, 37}), contiguous(broadcast_to(y, {37, 37}))), 0);
    }
  }
}

TEST_CASE("the bits do not depend on the number of threads") {
  for (DType dtype : {DType::float32, DType::float64}) {
    const Tensor x = positive({101, 701}, dtype), y = positive({701}, dtype, 5);
    for (const Unary& f : unary) {
      const Tensor alone = f.kernel(x), turned = f.kernel(transpose(x));
      set_threads(2);
      CHECK(same_bits(f.kernel(x), alone));
      CHECK(same_bits(f.kernel(transpose(x)), turned));
      set_threads(1);
    }
    for (const Binary& f : binary) {
      const Tensor alone = f.kernel(x, y);
      set_threads(3);
      CHECK(same_bits(f.kernel(x, y), alone));
      set_threads(1);
    }
  }
}

TEST_CASE("threads find their share of a view whose axes neither merge nor lie side by side") {
  const Tensor window = slice(slice(random({40, 31, 65}, DType::float64), 1, 0, 30), 2, 0, 64);  // [40, 30, 64]
  const Tensor column = slice(random({70000, 2}, DType::float64), 1, 1, 1);                      // [70000, 1]
  for (const Tensor& view : {window, column}) {
    const Tensor expected = kernel::exp(contiguous(view)), twice = kernel::add(contiguous(view), contiguous(view));
    set_threads(3);
    CHECK(same_bits(kernel::exp(view), expected));
    CHECK(same_bits(kernel::add(view, view), twice));
    set_threads(1);
  }
}

TEST_CASE("results keep the memory order of their operand") {
  const Tensor turned = permute(random({2, 3, 4}), {2, 0, 1});
  CHECK(kernel::exp(turned).strides() == turned.strides());
  CHECK(kernel::add(turned, random({3})).strides() == turned.strides());
  CHECK(kernel::cast(turned, DType::float32).strides() == turned.strides());
  CHECK(kernel::exp(slice(turned, 0, 0, 2, 2)).contiguous());
}

TEST_CASE("large, tiny and infinite numbers (O-14, O-15)") {
  for (DType dtype : {DType::float32, DType::float64}) {
    INFO(name_of(dtype));
    const auto at = [&](const std::vector<double>& x) { return Tensor::from(x, {static_cast<Size>(x.size())}, dtype); };
    const double one = tolerance(dtype);
    check_close(kernel::sigmoid(at({-1000, 0, 1000, -infinity, infinity})), {5}, {0, 0.5, 1, 0, 1}, one);
    check_close(kernel::softplus(at({-1000, 0, 1000, infinity})), {4}, {0, std::log(2.0), 1000, infinity}, one);
    check_close(kernel::tanh(at({-1000, 0, 1000, infinity})), {4}, {-1, 0, 1, 1}, one);
    check_close(kernel::gelu(at({-infinity, -1e30, 0, 1e30, infinity})), {5}, {0, 0, 0, 1e30, infinity}, 1e-37, one);
    check_close(gelu_slope(at({-infinity, -1e30, 0, 1e30, infinity})), {5}, {0, 0, 0.5, 1, 1}, one);
    check_close(kernel::exp(at({-infinity, -1000, 0, 1000, infinity})), {5}, {0, 0, 1, infinity, infinity}, one);
    check_close(kernel::log(at({0, 1, infinity})), {3}, {-infinity, 0, infinity}, 0);
    check_close(kernel::log1p(at({-1, 0, infinity})), {3}, {-infinity, 0, infinity}, 0);
    check_close(kernel::expm1(at({-infinity, 0, 1000})), {3}, {-1, 0, infinity}, 0);
    check_close(kernel::erf(at({-infinity, -30, 0, 30, infinity})), {5}, {-1, -1, 0, 1, 1}, one);
    check_close(kernel::sqrt(at({0, 4, infinity})), {3}, {0, 2, infinity}, 0);
    check_close(kernel::relu(at({-infinity, -0.0, infinity})), {3}, {0, 0, infinity}, 0);
    check_close(kernel::leaky_relu(at({-infinity, 0, infinity}), 0), {3}, {0, 0, infinity}, 0);
    check_close(kernel::clamp(at({-infinity, 0.5, infinity}), -1, 2), {3}, {-1, 0.5, 2}, 0);
    check_close(kernel::abs(at({-infinity, -0.0, 3})), {3}, {infinity, 0, 3}, 0);
    check_close(kernel::div(at({1, -1, 0}), at({0, 0, 5})), {3}, {infinity, -infinity, 0}, 0);
    check_close(kernel::maximum(at({-infinity, 2}), at({1, infinity})), {2}, {1, infinity}, 0);
  }
  check_close(kernel::log1p(numbers({1e-12, -1e-12}, {2})), {2}, {1e-12 - 5e-25, -1e-12 - 5e-25}, 0, 1e-15);
  check_close(kernel::expm1(numbers({1e-12, -1e-12}, {2})), {2}, {1e-12 + 5e-25, -1e-12 + 5e-25}, 0, 1e-15);
}

TEST_CASE("powers of 0 and of negative numbers are those of the standard library (O-14)") {
  const std::vector<double> bases = {0, 0, 0, -2, -2, -2, 1, 0, infinity, 3};
  const std::vector<double> exponents = {0, 2, -1, 3, 2, -1, infinity, 0.5, 0.5, 0};
  std::vector<double> expected;
  for (std::size_t i = 0; i < bases.size(); ++i) expected.push_back(std::pow(bases[i], exponents[i]));
  for (DType dtype : {DType::float32, DType::float64}) {
    INFO(name_of(dtype));
    check_close(kernel::pow(Tensor::from(bases, {10}, dtype), Tensor::from(exponents, {10}, dtype)), {10}, expected,
                1e-6, 1e-6);
  }
}

TEST_CASE("relu passes a cotangent where its result is positive, whatever it is and however the two lie") {
  for (DType dtype : {DType::float32, DType::float64}) {
    for (Size count = 1; count <= 40; ++count) {
      const Tensor g = random({count}, dtype, 2), y = random({count}, dtype, 3);
      const Tensor expected = kernel::where(kernel::greater(y, Tensor::zeros({}, dtype)), g, Tensor::zeros({}, dtype));
      CHECK(same_bits(kernel::relu_backward(g, y), expected));
      CHECK(same_bits(kernel::relu_backward(flip(g, {0}), flip(y, {0})), contiguous(flip(expected, {0}))));
    }
  }
  const double none = std::nan("");
  const Tensor g = numbers({infinity, 2, infinity, none, none}, {5}), y = numbers({1, 1, 0, -1, none}, {5});
  check_close(kernel::relu_backward(g, y), {5}, {infinity, 2, 0, 0, 0}, 0);
}

TEST_CASE("NaN is never lost") {
  for (DType dtype : {DType::float32, DType::float64}) {
    for (Size length : {1, 8, 13}) {
      const Tensor x = Tensor::full({length}, not_a_number, dtype), one = Tensor::ones({length}, dtype);
      const auto all_nan = [](const Tensor& y) {
        bool all = true;
        for (double value : y.to_vector()) all = all && std::isnan(value);
        return all;
      };
      for (const Unary& f : unary) CHECK_MESSAGE(all_nan(f.kernel(x)), f.name, " ", name_of(dtype));
      for (const Binary& f : binary) {
        CHECK_MESSAGE(all_nan(f.kernel(x, one)), f.name, " of NaN and 1, ", name_of(dtype));
        if (f.name != "pow") CHECK_MESSAGE(all_nan(f.kernel(one, x)), f.name, " of 1 and NaN");
      }
      CHECK(all_nan(kernel::log(kernel::affine(one, -1, 0))));
      CHECK(all_nan(kernel::sqrt(kernel::affine(one, -1, 0))));
    }
  }
}
