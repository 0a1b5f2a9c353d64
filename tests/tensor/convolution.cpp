// What the rows of ops/convolution.cpp cannot see of the kernels: threads, cost, halves, cotangents that do not fit.
#include <doctest/doctest.h>

#include "tensor/cost.hpp"
#include "tensor/kernels.hpp"
#include "tensor/parallel.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

struct Found {
  Tensor y, dx, dw;
};

Found all_of(const Tensor& g, const Tensor& x, const Tensor& w, const Convolution& how) {
  return {kernel::conv(x, w, how), kernel::conv_to_input(g, w, x.shape(), how),
          kernel::conv_to_weight(g, x, w.shape(), how)};
}

}  // namespace

TEST_CASE("a convolution and its derivatives have the same bits whatever the number of threads") {
  struct Case {
    Shape x, weight;
    Convolution how;
  };
  for (const Case& c :
       {Case{{19, 16, 14, 14}, {32, 16, 3, 3}, {1, 1, 1, 1}}, Case{{1, 64, 60, 61}, {8, 32, 3, 3}, {2, 1, 1, 2}},
        Case{{5, 64, 30, 31}, {48, 64, 1, 1}, {1, 0, 1, 1}}}) {
    INFO(text(c.x), " by ", text(c.weight));
    const Tensor x = random(c.x, DType::float32, 2), w = random(c.weight, DType::float32, 3);
    const Tensor g = random(kernel::conv(x, w, c.how).shape(), DType::float32, 4);
    const Found alone = all_of(g, x, w, c.how);
    for (Size count : {2, 3, 5}) {
      set_threads(count);
      const Found shared = all_of(g, x, w, c.how);
      set_threads(1);
      CHECK(same_bits(shared.y, alone.y));
      CHECK(same_bits(shared.dx, alone.dx));
      CHECK(same_bits(shared.dw, alone.dw));
    }
  }
}

TEST_CASE("a convolution costs O · C · u · v multiplications at each place, and each derivative as many") {
  const Convolution how{2, 1, 1, 2};
  const Tensor x = random({3, 4, 7, 9}, DType::float32), w = random({6, 2, 3, 3}, DType::float32);  // y [3, 6, 4, 5]
  const CostCounter counter;
  all_of(random({3, 6, 4, 5}, DType::float32), x, w, how);
  for (const char* op : {"conv", "conv_to_input", "conv_to_weight"}) {
    CHECK(counter.per_op().at(op).multiplications == 3 * 6 * (4 * 5) * (2 * 3 * 3));
  }
  CHECK(counter.per_op().at("conv").bytes_read == 4 * (x.size() + w.size()));
  CHECK(counter.per_op().at("conv_to_input").bytes_written == 4 * x.size());
  CHECK(counter.per_op().at("conv_to_weight").bytes_written == 4 * w.size());
}

TEST_CASE("a convolution of halves is that of float32, rounded once") {
  const Convolution how{1, 1, 1, 1};
  for (DType half : {DType::float16, DType::bfloat16}) {
    const Tensor x = kernel::cast(random({2, 3, 4, 5}), half), w = kernel::cast(random({4, 3, 3, 3}), half),
                 g = kernel::cast(random({2, 4, 4, 5}), half);
    const auto wide = [](const Tensor& t) { return kernel::cast(t, DType::float32); };
    const Found found = all_of(g, x, w, how), expected = all_of(wide(g), wide(x), wide(w), how);
    CHECK(same_bits(found.y, kernel::cast(expected.y, half)));
    CHECK(same_bits(found.dx, kernel::cast(expected.dx, half)));
    CHECK(same_bits(found.dw, kernel::cast(expected.dw, half)));
  }
}

TEST_CASE("a cotangent that is not of the result's shape is named with it") {
  const Tensor x = random({2, 3, 4, 5}), w = random({4, 3, 2, 2}), g = random({2, 4, 4, 5});
  check_throws_with([&] { kernel::conv_to_input(g, w, x.shape(), {}); },
                    {"conv_to_input", "[2, 4, 4, 5]", "[2, 4, 3, 4]"});
  check_throws_with([&] { kernel::conv_to_weight(g, x, w.shape(), {}); }, {"conv_to_weight", "[2, 4, 4, 5]"});
  check_throws_with([&] { kernel::conv(Tensor::arange(3), w, {}); }, {"conv", "int64"});
}

TEST_CASE("an image with so much padding that its result cannot be counted is refused before anything is multiplied") {
  const Tensor image = Tensor::zeros({2, 3, 4, 4}), weight = Tensor::zeros({8, 3, 3, 3});
  check_throws_with([&] { kernel::conv(image, weight, {1, Size{1} << 31, 1, 1}); }, {"shape: [2, 8, ", "too many"});
}
