#include "nn/pool.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "autograd/grad.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/special.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

PoolOptions with(Size kernel, Size stride = 0, Size padding = 0, bool ceil_mode = false) {
  return {kernel, stride, padding, ceil_mode};
}

// How many windows one axis holds: with ceil_mode as many as begin within the input or the padding before it.
Size count_by_hand(Size n, const PoolOptions& how, Size stride) {
  Size count = 0;
  for (Size first = -how.padding; first < n; first += stride) {
    const bool whole = first + how.kernel <= n + how.padding;
    const bool overhangs = how.ceil_mode && first + how.kernel - stride < n + how.padding;
    if (whole || overhangs) ++count;
  }
  return count;
}

// Both pools in plain loops over x [B, C, H, W].
struct Pooled {
  Tensor largest, mean_with_padding, mean_without;
};

Pooled by_hand(const Tensor& x, const PoolOptions& how) {
  const Size B = x.shape()[0], C = x.shape()[1], H = x.shape()[2], W = x.shape()[3], K = how.kernel, p = how.padding;
  const Size stride = how.stride == 0 ? K : how.stride;
  const Size rows = count_by_hand(H, how, stride), columns = count_by_hand(W, how, stride);
  std::vector<double> largest, with_padding, without;
  for (Size b = 0; b < B; ++b) {
    for (Size c = 0; c < C; ++c) {
      for (Size i = 0; i < rows; ++i) {
        for (Size j = 0; j < columns; ++j) {
          double most = -infinity, sum = 0, inside = 0, padded = 0;
          for (Size y = i * stride - p; y < i * stride - p + K; ++y) {
            for (Size z = j * stride - p; z < j * stride - p + K; ++z) {
              if (y < H + p && z < W + p) ++padded;
              if (y < 0 || y >= H || z < 0 || z >= W) continue;
              ++inside;
              sum += x.at({b, c, y, z});
              most = std::max(most, x.at({b, c, y, z}));
            }
          }
          largest.push_back(most);
          with_padding.push_back(sum / padded);
          without.push_back(sum / inside);
        }
      }
    }
  }
  const Shape shape = {B, C, rows, columns};
  return {numbers(largest, shape), numbers(with_padding, shape), numbers(without, shape)};
}

}  // namespace

TEST_CASE("pooling agrees with plain loops, for every kernel, stride and padding, in ceil mode and not") {
  const Tensor x = random({2, 3, 6, 7});
  for (bool ceil_mode : {false, true}) {
    for (const PoolOptions& how : {with(1, 2, 0, ceil_mode), with(2, 0, 0, ceil_mode), with(3, 1, 1, ceil_mode),
                                   with(3, 2, 0, ceil_mode), with(2, 2, 1, ceil_mode), with(4, 3, 2, ceil_mode),
                                   with(5, 4, 2, ceil_mode), with(6, 5, 0, ceil_mode), with(2, 3, 1, ceil_mode)}) {
      INFO("kernel ", how.kernel, " stride ", how.stride, " padding ", how.padding, " ceil mode ", ceil_mode);
      const Pooled expected = by_hand(x, how);
      check_agree(max_pool(Var(x), how), expected.largest, 0);
      check_agree(average_pool(Var(x), how), expected.mean_with_padding, 1e-15);
      check_agree(average_pool(Var(x), how, false), expected.mean_without, 1e-15);
    }
  }
}

TEST_CASE("along a line pooling is what it is in an image of one row") {
  const Var x(random({2, 3, 9}));
  const Var row = unsqueeze(x, 2);
  check_agree(max_pool(x, with(3, 3)), squeeze(max_pool(broadcast_to(row, {2, 3, 3, 9}), with(3, 3)), {2}), 0);
  check_agree(average_pool(x, with(3, 3)), squeeze(average_pool(broadcast_to(row, {2, 3, 3, 9}), with(3, 3)), {2}),
              1e-15);
  check_agree(adaptive_average_pool(x, {4}), squeeze(adaptive_average_pool(row, {1, 4}), {2}), 0);
  check_agree(adaptive_max_pool(x, {4}), squeeze(adaptive_max_pool(row, {1, 4}), {2}), 0);
  check_agree(global_max_pool(x), global_max_pool(row), 0);
  check_agree(global_average_pool(x), global_average_pool(row), 0);
}

TEST_CASE("in ceil mode every window holds an element, and the mean counts what is there (O-35)") {
  CHECK(max_pool(Var(random({1, 1, 6, 7})), with(1, 2, 0, true)).shape() == Shape{1, 1, 3, 4});
  const Var line(numbers({1, 2, 3, 4, 5}, {1, 1, 5}));
  check_close(average_pool(line, with(2, 2, 0, true)), {1, 1, 3}, {1.5, 3.5, 5}, 0);
  check_close(average_pool(line, with(2, 2)), {1, 1, 2}, {1.5, 3.5}, 0);
  const Var square(numbers({1, 2, 3, 4}, {1, 1, 2, 2}));
  check_close(average_pool(square, with(2, 2, 1)), {1, 1, 2, 2}, {.25, .5, .75, 1}, 0);
  check_close(average_pool(square, with(2, 2, 1), false), {1, 1, 2, 2}, {1, 2, 3, 4}, 0);
}

TEST_CASE("padding never wins a maximum: not over negative numbers, and not over −∞") {
  const Var low(numbers({-5, -6, -7, -8}, {1, 1, 2, 2}));
  check_close(max_pool(low, with(2, 2, 1)), {1, 1, 2, 2}, {-5, -6, -7, -8}, 0);
  const Var x = Var::parameter(numbers({-infinity, -infinity, 3}, {1, 1, 3}));
  const Var y = max_pool(x, with(2, 1, 1, true));
  check_close(y, {1, 1, 4}, {-infinity, -infinity, 3, 3}, 0);
  check_close(grad(y, {x}, numbers({1, 10, 100, 1000}, {1, 1, 4}))[0], {1, 1, 3}, {11, 0, 1100}, 0);
}

TEST_CASE("NaN wins every maximum") {
  const Var x(numbers({1, not_a_number, 3, 4, 5, 6}, {1, 1, 6}));
  for (const Var& y : {max_pool(x, with(2)), adaptive_max_pool(x, {3}), max_pool(x, with(2, 2, 0, true))}) {
    CHECK(std::isnan(y.value().at({0, 0, 0})));
    CHECK(y.value().at({0, 0, 1}) == 4);
  }
  CHECK(std::isnan(global_max_pool(x).value().at({0, 0})));
  CHECK(std::isnan(average_pool(x, with(2)).value().at({0, 0, 0})));
}

TEST_CASE("an element that wins in two windows gets both cotangents, and of equal ones the first wins (O-37)") {
  const auto slope = [](const std::vector<double>& values, const PoolOptions& how) {
    const Var x = Var::parameter(numbers(values, {1, 1, static_cast<Size>(values.size())}));
    const Var y = max_pool(x, how);
    return reshape(grad(y, {x}, Var(Tensor::ones(y.shape(), DType::float64)))[0], {-1});
  };
  check_close(slope({1, 3, 2}, with(2, 1)), {3}, {0, 2, 0}, 0);
  check_close(slope({7, 7, 7, 7}, with(2, 2)), {4}, {1, 0, 1, 0}, 0);
  check_close(slope({7, 7, 7, 7}, with(2, 2, 1)), {4}, {1, 1, 0, 1}, 0);
  const Var image = Var::parameter(numbers({0, 5, 5, 0}, {1, 1, 2, 2}));
  for (const Var& y : {max_pool(image, with(2)), adaptive_max_pool(image, {1, 1}), global_max_pool(image)}) {
    const Var one(Tensor::ones(y.shape(), DType::float64));
    check_close(grad(y, {image}, one)[0], {1, 1, 2, 2}, {0, 1, 0, 0}, 0);
  }
}

TEST_CASE("adaptive pooling cuts the image into windows that cover it") {
  const Tensor x = random({2, 3, 5, 7});
  for (const Shape& sizes : {Shape{1, 1}, Shape{2, 3}, Shape{5, 7}, Shape{3, 4}, Shape{6, 9}}) {
    INFO(text(sizes));
    std::vector<double> means, largest;
    for (Size b = 0; b < 2; ++b) {
      for (Size c = 0; c < 3; ++c) {
        for (Size i = 0; i < sizes[0]; ++i) {
          for (Size j = 0; j < sizes[1]; ++j) {
            const Size top = i * 5 / sizes[0], bottom = ((i + 1) * 5 + sizes[0] - 1) / sizes[0];
            const Size left = j * 7 / sizes[1], right = ((j + 1) * 7 + sizes[1] - 1) / sizes[1];
            double sum = 0, most = -infinity;
            for (Size y = top; y < bottom; ++y) {
              for (Size z = left; z < right; ++z) {
                sum += x.at({b, c, y, z});
                most = std::max(most, x.at({b, c, y, z}));
              }
            }
            means.push_back(sum / static_cast<double>((bottom - top) * (right - left)));
            largest.push_back(most);
          }
        }
      }
    }
    const Shape shape = {2, 3, sizes[0], sizes[1]};
    check_close(adaptive_average_pool(Var(x), sizes), shape, means, 1e-15);
    check_close(adaptive_max_pool(Var(x), sizes), shape, largest, 0);
  }
}

TEST_CASE("global pooling is adaptive pooling to a single element") {
  const Var x(random({2, 3, 5, 7}));
  check_agree(global_average_pool(x), reshape(adaptive_average_pool(x, {1, 1}), {2, 3}), 1e-15);
  check_agree(global_max_pool(x), reshape(adaptive_max_pool(x, {1, 1}), {2, 3}), 0);
}

TEST_CASE("a kernel larger than the padded input, and padding that fills a window, throw with the numbers (O-36)") {
  const Var x(random({1, 1, 2, 2}));
  for (Size stride : {1, 2}) {
    check_throws_with([&] { max_pool(x, with(3, stride)); }, {"max_pool: ", "kernel 3", "[1, 1, 2, 2]"});
    check_throws_with([&] { average_pool(x, with(3, stride)); }, {"average_pool: ", "kernel 3", "[1, 1, 2, 2]"});
  }
  check_throws_with([&] { max_pool(x, with(2, 2, 2)); }, {"max_pool: ", "padding 2"});
  check_throws_with([&] { max_pool(x, with(0, 1)); }, {"max_pool: ", "kernel 0"});
  check_throws_with([&] { max_pool(x, with(2, -1)); }, {"max_pool: ", "stride -1"});
  check_throws_with([&] { max_pool(x, with(2, 1, -1)); }, {"max_pool: ", "padding -1"});
  check_throws_with([] { max_pool(Var(random({2, 2})), with(1)); }, {"max_pool: ", "[2, 2]"});
  check_throws_with([] { average_pool(Var(random({2, 2})), with(1)); }, {"average_pool: ", "[2, 2]"});
  check_throws_with([] { average_pool(Var(random({2, 2, 0})), with(1)); }, {"average_pool: ", "[2, 2, 0]"});
  check_throws_with([&] { adaptive_max_pool(x, {1}); }, {"adaptive_max_pool: ", "[1]", "[1, 1, 2, 2]"});
  check_throws_with([&] { adaptive_average_pool(x, {1, 0}); }, {"adaptive_average_pool: ", "[1, 0]"});
  check_throws_with([] { global_average_pool(Var(random({2, 2}))); }, {"global_average_pool: ", "[2, 2]"});
  check_throws_with([] { global_max_pool(Var(random({2, 2}))); }, {"global_max_pool: ", "[2, 2]"});
}

TEST_CASE("what a last window has beyond the padding counts in no corner of the mean") {
  const Tensor x = random({1, 1, 5, 4});
  for (const auto& [kernel, stride, padding] : {std::array<Size, 3>{4, 2, 1}, {3, 5, 1}, {4, 4, 1}, {4, 3, 2}}) {
    const PoolOptions options = {kernel, stride, padding, true};
    const Tensor found = average_pool(Var(x), options).value();
    for (Size i = 0; i < found.shape()[2]; ++i) {
      for (Size j = 0; j < found.shape()[3]; ++j) {
        const Size top = i * stride - padding, left = j * stride - padding;
        const Size bottom = std::min(top + kernel, 5 + padding), right = std::min(left + kernel, 4 + padding);
        double sum = 0;
        for (Size y = std::max<Size>(top, 0); y < std::min<Size>(bottom, 5); ++y) {
          for (Size z = std::max<Size>(left, 0); z < std::min<Size>(right, 4); ++z) sum += x.at({0, 0, y, z});
        }
        check_close(found.at({0, 0, i, j}), sum / static_cast<double>((bottom - top) * (right - left)), 1e-15);
      }
    }
  }
}

TEST_CASE("a batch of nothing, and images without channels, pool to nothing") {
  for (const auto& [B, C] : {std::pair<Size, Size>{0, 3}, {2, 0}}) {
    const Var x(random({B, C, 5, 4}));
    CHECK(max_pool(x, with(2)).shape() == Shape{B, C, 2, 2});
    CHECK(max_pool(x, {2, 2, 1, true}).shape() == Shape{B, C, 3, 3});
    CHECK(average_pool(x, with(2)).shape() == Shape{B, C, 2, 2});
    CHECK(global_average_pool(x).shape() == Shape{B, C});
    CHECK(global_max_pool(x).shape() == Shape{B, C});
  }
  check_throws_with([] { global_average_pool(Var(random({2, 3, 0, 4}))); }, {"global_average_pool: ", "[2, 3, 0, 4]"});
  check_throws_with([] { global_max_pool(Var(random({2, 3, 0, 4}))); }, {"global_max_pool: ", "[2, 3, 0, 4]"});
}

TEST_CASE("a stride larger than any number of elements leaves one window") {
  const Var x(random({1, 1, 5, 4}));
  const Size far = std::numeric_limits<Size>::max();
  for (bool ceil_mode : {false, true}) {
    check_agree(max_pool(x, {2, far, 0, ceil_mode}), max_pool(slice(slice(x, 2, 0, 2), 3, 0, 2), with(2)), 0);
  }
}
