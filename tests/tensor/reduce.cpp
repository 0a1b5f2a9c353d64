#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tensor/kernels.hpp"
#include "tensor/parallel.hpp"
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

struct Threads {
  explicit Threads(Size count) { set_threads(count); }
  ~Threads() { set_threads(1); }
};

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
  CHECK(kernel::sum(Tensor::ones({count}), {0}, false).item() == static_cast<double>(count));
  CHECK(kernel::sum(broadcast_to(Tensor::ones({1}), {count}), {0}, false).item() == static_cast<double>(count));
}

TEST_CASE("a reduction of many numbers has the same bits whatever the number of threads, and the right value") {
  struct Long {
    Shape shape;
    Axes axes;
  };
  // Along a long axis that is kept (first, middle, last); in pieces of one that is folded, whole and with a rest.
  for (const Long& each : {Long{{700, 300}, {1}}, Long{{7, 300, 90}, {0, 2}}, Long{{300, 700}, {0}},
                           Long{{262144}, {0}}, Long{{49999}, {0}}, Long{{40001, 3}, {0}}, Long{{15, 20001}, {1}},
                           Long{{3, 9001, 5}, {1}}, Long{{16, 5000}, {1}}, Long{{5, 300, 61}, {0, 1, 2}}}) {
    const Tensor x = random(each.shape, DType::float64, 5);
    for (const Reduction& f : reductions) {
      INFO(f.name, " over ", text(each.axes), " of ", text(each.shape));
      const Tensor narrow = kernel::cast(x, DType::float32), alone = f.kernel(narrow, each.axes, false);
      const Numbers expected = reducing(each.axes, false, f.oracle)({{each.shape, x.to_vector()}});
      check_close(f.kernel(x, each.axes, false), expected.shape, expected.values, 1e-9);
      check_close(alone, expected.shape, expected.values, 1e-2);
      for (const View& view : views_of(x)) {
        check_close(f.kernel(view.tensor, each.axes, false), expected.shape, expected.values, 1e-9);
      }
      for (Size count : {2, 3, 5}) {
        const Threads some(count);
        CHECK(same_bits(f.kernel(narrow, each.axes, false), alone));
      }
    }
  }
}

TEST_CASE("a number that is not finite is seen wherever it stands, by one thread or several") {
  for (Size count : {1, 2, 3}) {
    const Threads some(count);
    for (Size place : {0, 1, 255, 256, 40000, 65536, 70000}) {
      std::vector<double> values(70001, 2);
      values[static_cast<std::size_t>(place)] = place % 2 == 0 ? not_a_number : infinity;
      const Tensor x = Tensor::from(values, {70001});
      CHECK(!kernel::all_finite(x));
      CHECK(!std::isfinite(kernel::sum(x, {0}, false).item()));
      CHECK(!std::isfinite(kernel::max(x, {0}, false).item()));
    }
    CHECK(kernel::all_finite(Tensor::full({70001}, 2)));
    CHECK(!kernel::all_finite(broadcast_to(numbers({infinity}, {1}), {300})));
    CHECK(kernel::all_finite(broadcast_to(numbers({1e300}, {1}), {300})));
  }
}

TEST_CASE("a sum of products is the products, summed, for every kind of view") {
  struct Case {
    Shape a, b, to;
  };
  for (const Case& c :
       {Case{{2, 3, 4}, {2, 3, 4}, {2, 3, 1}}, Case{{2, 3, 4}, {3, 1}, {2, 1, 4}}, Case{{3, 1}, {2, 3, 4}, {4}},
        Case{{2, 3, 1}, {4}, {3, 1}}, Case{{2, 3, 4}, {}, {}}, Case{{2, 3, 4}, {4}, {2, 3, 4}}, Case{{1, 1}, {1}, {}},
        Case{{2, 0, 4}, {4}, {4}}, Case{{3, 517}, {3, 517}, {3, 1}}, Case{{517, 3}, {517, 1}, {3}},
        Case{{3, 517}, {517}, {517}}, Case{{3, 517}, {3, 1}, {3, 1}}, Case{{40, 33, 51}, {40, 33, 51}, {33, 1}},
        Case{{40, 33, 51}, {33, 1}, {}}, Case{{2, 3, 4}, {2, 3, 4}, {2, 3, 4}}}) {
    const Tensor a = random(c.a, DType::float64, 2), b = random(c.b, DType::float64, 3);
    const Tensor products = kernel::mul(a, b);
    const Size lead = products.rank() - c.to.size();
    Axes axes;
    for (Size i = 0; i < products.rank(); ++i) {
      if (i < lead || c.to[i - lead] != products.shape()[i]) axes.push_back(i);
    }
    const Tensor expected = reshape(kernel::sum(products, axes, true), c.to);
    INFO(text(c.a), " · ", text(c.b), " to ", text(c.to));
    check_agree(kernel::sum_of_products(a, b, c.to), expected, 1e-10);
    check_agree(kernel::sum_of_products(b, a, c.to), expected, 1e-10);
    for (const View& view : views_of(a)) {
      INFO(view.name);
      check_agree(kernel::sum_of_products(view.tensor, b, c.to), expected, 1e-10);
      check_agree(kernel::sum_of_products(b, view.tensor, c.to), expected, 1e-10);
      for (const View& other : views_of(b)) {
        check_agree(kernel::sum_of_products(view.tensor, other.tensor, c.to), expected, 1e-10);
      }
    }
    const Tensor narrow_a = kernel::cast(a, DType::float32), narrow_b = kernel::cast(b, DType::float32);
    const Tensor narrow = kernel::sum_of_products(narrow_a, narrow_b, c.to);
    CHECK(narrow.dtype() == DType::float32);
    check_agree(narrow, expected, 1e-2);
    const Threads three(3);
    CHECK(same_bits(kernel::sum_of_products(narrow_a, narrow_b, c.to), narrow));
  }
}

TEST_CASE("a sum of products knows infinity and NaN, and names what does not fit") {
  const Tensor x = numbers({1, infinity, not_a_number, 0, infinity, 1}, {3, 2}), zero = numbers({0}, {});
  const std::vector<double> rows = kernel::sum_of_products(x, zero, {3, 1}).to_vector();
  CHECK(std::isnan(rows[0]));  // 0 · ∞
  CHECK(std::isnan(rows[1]));
  CHECK(std::isnan(rows[2]));
  const Tensor repeated = broadcast_to(numbers({infinity}, {}), {3, 300});
  CHECK(kernel::sum_of_products(repeated, numbers({2}, {}), {}).item() == infinity);
  CHECK(std::isnan(kernel::sum_of_products(repeated, zero, {}).item()));
  check_close(kernel::sum_of_products(broadcast_to(numbers({3}, {}), {3, 300}), numbers({2}, {}), {3, 1}), {3, 1},
              {1800, 1800, 1800}, 0);
  check_throws_with([&] { kernel::sum_of_products(x, zero, {2, 2}); }, {"sum_of_products", "[3, 2]", "[2, 2]"});
  check_throws_with([&] { kernel::sum_of_products(x, numbers({1, 2}, {2, 1}), {}); }, {"sum_of_products", "[2, 1]"});
  check_throws_with([&] { kernel::sum_of_products(x, Tensor::ones({}), {}); }, {"sum_of_products", "float32"});
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
