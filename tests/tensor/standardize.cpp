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

constexpr double epsilon = 0.01;

double tolerance(DType dtype) { return dtype == DType::float32 ? 3e-6 : 1e-14; }

// The composed forms.
Tensor mean(const Tensor& x) {
  return kernel::affine(kernel::sum(x, {-1}, true), 1 / static_cast<double>(x.shape().back()), 0);
}
Tensor deviation(const Tensor& x) {
  const Tensor centred = kernel::sub(x, mean(x));
  return kernel::sqrt(kernel::affine(mean(kernel::mul(centred, centred)), 1, epsilon));
}
Tensor composed(const Tensor& x) { return kernel::div(kernel::sub(x, mean(x)), deviation(x)); }
Tensor composed_backward(const Tensor& g, const Tensor& x) {
  const Tensor y = composed(x);
  return kernel::div(kernel::sub(kernel::sub(g, mean(g)), kernel::mul(y, mean(kernel::mul(g, y)))), deviation(x));
}

}  // namespace

TEST_CASE("rows of every length, type and kind of view agree with the composed form, forward and backward") {
  for (DType dtype : {DType::float32, DType::float64}) {
    for (Size n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 300}) {
      INFO(name_of(dtype), " rows of ", n);
      const Tensor x = random({2, 3, n}, dtype, 3), g = random({2, 3, n}, dtype, 4), level = random({}, dtype, 5);
      const double close = tolerance(dtype);
      for (const View& view : views_of(x)) {
        INFO(view.name);
        check_agree(kernel::standardize(view.tensor, epsilon), composed(x), close, close);
        check_agree(kernel::standardize_backward(g, view.tensor, epsilon), composed_backward(g, x), close, close);
      }
      for (const View& view : views_of(g)) {
        INFO(view.name);
        check_agree(kernel::standardize_backward(view.tensor, x, epsilon), composed_backward(g, x), close, close);
      }
      // A cotangent that is the same everywhere, as that of a sum: it changes nothing that a shift of x does not.
      const Tensor flat = broadcast_to(level, x.shape());
      check_close(kernel::standardize_backward(flat, x, epsilon), x.shape(),
                  std::vector<double>(static_cast<std::size_t>(x.size()), 0), 10 * close);
    }
  }
}

TEST_CASE("a row by hand: mean 2, variance 2/3") {
  const double s = std::sqrt(2.0 / 3 + 1);
  check_close(kernel::standardize(numbers({1, 2, 3}, {3}), 1), {3}, {-1 / s, 0, 1 / s}, 1e-15);
}

TEST_CASE("no rows, rows of nothing, and a number, which has no row") {
  check_close(kernel::standardize(Tensor::zeros({0, 3}), epsilon), {0, 3}, {}, 0);
  check_close(kernel::standardize(Tensor::zeros({3, 0}), epsilon), {3, 0}, {}, 0);
  check_close(kernel::standardize_backward(Tensor::zeros({0, 3}), Tensor::zeros({0, 3}), epsilon), {0, 3}, {}, 0);
  check_throws_with([] { kernel::standardize(Tensor::zeros({}), epsilon); }, {"standardize", "[]"});
  check_throws_with([] { kernel::standardize(Tensor::zeros({2}, DType::int64), epsilon); }, {"standardize", "int64"});
}

TEST_CASE("a row with NaN or an infinity is NaN, and its neighbours are what they were") {
  const Tensor x = random({3, 9}, DType::float32, 3), y = kernel::standardize(x, epsilon);
  for (double special : {not_a_number, infinity, -infinity}) {
    const Tensor one = kernel::embed(Tensor::full({1, 1}, special, DType::float32), {3, 9}, {1, 8}, {1, 1}, 0);
    const Tensor found = kernel::standardize(kernel::add(x, one), epsilon);
    for (Size row : {0, 2}) CHECK(same_bits(slice(found, 0, row, 1), slice(y, 0, row, 1)));
    for (double value : slice(found, 0, 1, 1).to_vector()) CHECK(std::isnan(value));
  }
}

TEST_CASE("a row has the same bits wherever it lies, and with two threads") {
  const Tensor x = random({301, 53}, DType::float32, 3), g = random({301, 53}, DType::float32, 4);
  const Tensor y = kernel::standardize(x, epsilon), dx = kernel::standardize_backward(g, x, epsilon);
  for (Size row : {1, 7, 300}) {
    CHECK(same_bits(kernel::standardize(slice(x, 0, row, 1), epsilon), slice(y, 0, row, 1)));
    CHECK(same_bits(kernel::standardize_backward(slice(g, 0, row, 1), slice(x, 0, row, 1), epsilon),
                    slice(dx, 0, row, 1)));
  }
  set_threads(2);
  CHECK(same_bits(kernel::standardize(x, epsilon), y));
  CHECK(same_bits(kernel::standardize_backward(g, x, epsilon), dx));
  set_threads(1);
}
