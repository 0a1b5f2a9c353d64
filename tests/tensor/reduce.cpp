#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/op_table.hpp"
#include "tests/support/special.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

double total(const std::vector<double>& x) {
  double out = 0;
  for (double value : x) out += value;
  return out;
}
double largest(const std::vector<double>& x) { return *std::max_element(x.begin(), x.end()); }
double smallest(const std::vector<double>& x) { return *std::min_element(x.begin(), x.end()); }

struct Reduction {
  std::string name;
  Tensor (*kernel)(const Tensor&, const Axes&, bool);
  double (*oracle)(const std::vector<double>&);
};
const std::vector<Reduction> reductions = {
    {"sum", kernel::sum, total}, {"max", kernel::max, largest}, {"min", kernel::min, smallest}};

const std::vector<Axes> subsets = {{}, {0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}};

}  // namespace

TEST_CASE("sums and extremes over every set of axes, for every kind of view") {
  for (const Reduction& f : reductions) {
    for (const Shape& shape : {Shape{2, 3, 4}, Shape{3, 1, 9}, Shape{1, 1, 1}, Shape{2, 300, 2}, Shape{5, 2, 261}}) {
      const Tensor x = random(shape, DType::float64, 9);
      for (const Axes& axes : subsets) {
        const Numbers expected = reducing(axes, false, f.oracle)({{shape, x.to_vector()}});
        const Numbers kept = reducing(axes, true, f.oracle)({{shape, x.to_vector()}});
        INFO(f.name, " over ", text(axes), " of ", text(shape));
        check_close(f.kernel(x, axes, false), expected.shape, expected.values, 1e-12);
        check_close(f.kernel(x, axes, true), kept.shape, kept.values, 1e-12);
        for (const View& view : views_of(x)) {
          INFO(view.name);
          check_close(f.kernel(view.tensor, axes, false), expected.shape, expected.values, 1e-12);
        }
        const Tensor narrow = f.kernel(kernel::cast(x, DType::float32), axes, true);
        CHECK(narrow.dtype() == DType::float32);
        check_close(narrow, kept.shape, kept.values, 1e-4);
      }
    }
  }
}

TEST_CASE("reductions of a repeated number, whose strides are 0") {
  const Tensor x = broadcast_to(numbers({1, 2, 3}, {3, 1}), {2, 3, 500});
  check_close(kernel::sum(x, {2}, false), {2, 3}, {500, 1000, 1500, 500, 1000, 1500}, 1e-10);
  check_close(kernel::sum(x, {0, 1}, false), {500}, std::vector<double>(500, 12), 0);
  check_close(kernel::sum(x, {0}, false), {3, 500}, kernel::affine(slice(x, 0, 0, 1), 2, 0).to_vector(), 0);
  check_close(kernel::sum(broadcast_to(numbers({0.5}, {}), {7, 9}), {0, 1}, false), {}, {31.5}, 0);
  check_close(kernel::max(x, {1}, false), {2, 500}, std::vector<double>(1000, 3), 0);
}

TEST_CASE("axes may be unsorted and counted from the end, but not named twice (O-12)") {
  const Tensor x = random({2, 3, 4});
  CHECK(same_bits(kernel::sum(x, {1, 0}, false), kernel::sum(x, {0, 1}, false)));
  CHECK(same_bits(kernel::sum(x, {-1, 0}, true), kernel::sum(x, {0, 2}, true)));
  check_throws_with([&] { kernel::sum(x, {1, 1}, false); }, {"sum", "[1, 1]", "twice"});
  check_throws_with([&] { kernel::max(x, {3}, false); }, {"max", "axis 3"});
  check_throws_with([&] { kernel::sum(Tensor::arange(3), {0}, false); }, {"sum", "int64", "[3]"});
}

TEST_CASE("a sum over no axes is the tensor itself, a sum over nothing is 0, and nothing has no extreme (O-12)") {
  const Tensor x = random({2, 3});
  CHECK(same_bits(kernel::sum(x, {}, false), x));
  const Tensor empty = Tensor::zeros({2, 0}, DType::float64);
  check_close(kernel::sum(empty, {1}, false), {2}, {0, 0}, 0);
  check_close(kernel::sum(empty, {0}, false), {0}, {}, 0);
  check_close(kernel::sum(empty, {0, 1}, false), {}, {0}, 0);
  check_close(kernel::max(empty, {0}, false), {0}, {}, 0);
  check_throws_with([&] { kernel::max(empty, {1}, false); }, {"max", "axis 1", "[2, 0]"});
  check_throws_with([&] { kernel::min(empty, {-1}, true); }, {"min", "axis 1", "[2, 0]"});
  check_throws_with([&] { kernel::max(empty, {0, 1}, false); }, {"max", "[2, 0]"});
}

TEST_CASE("a sum of a number has rank 0, and keep_dims keeps the rank (O-11)") {
  CHECK(kernel::sum(numbers({1, 2, 3}, {3}), {0}, false).shape() == Shape{});
  CHECK(kernel::sum(numbers({1, 2, 3}, {3}), {0}, true).shape() == Shape{1});
  CHECK(kernel::sum(numbers({5}, {}), {}, false).item() == 5);
}

TEST_CASE("float32 sums do not stop growing at 2^24 (O-54)") {
  const Size count = Size{1} << 25;
  const Tensor ones = broadcast_to(Tensor::ones({1}), {count});
  CHECK(kernel::sum(ones, {0}, false).item() == static_cast<double>(count));
}

TEST_CASE("extremes of infinite numbers and NaN") {
  for (DType dtype : {DType::float32, DType::float64}) {
    const Tensor x = Tensor::from({-infinity, -infinity, 1, infinity, not_a_number, 2}, {3, 2}, dtype);
    const std::vector<double> max = kernel::max(x, {1}, false).to_vector(),
                              min = kernel::min(x, {1}, false).to_vector();
    CHECK(max[0] == -infinity);  // and not the lowest number, as xtensor has it (O-16)
    CHECK(max[1] == infinity);
    CHECK(std::isnan(max[2]));
    CHECK(min[0] == -infinity);
    CHECK(min[1] == 1);
    CHECK(std::isnan(min[2]));
    for (Size place : {0, 3, 8, 20, 36}) {
      std::vector<double> row(37, 1);
      row[static_cast<std::size_t>(place)] = not_a_number;
      CHECK(std::isnan(kernel::max(Tensor::from(row, {37}, dtype), {0}, false).item()));
      CHECK(std::isnan(kernel::min(Tensor::from(row, {37, 1}, dtype), {0}, false).item()));
      CHECK(std::isnan(kernel::sum(Tensor::from(row, {37}, dtype), {0}, false).item()));
    }
  }
}
