// Convolution without columns (float32, where the processor has AVX-512) against the products of columns, which compute
// it in float64: at sizes around those of vectors and tiles, for all ways to walk.
#include "tensor/inner/direct.hpp"

#include <doctest/doctest.h>

#include "tensor/inner/avx512.hpp"
#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/special.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;
namespace direct = attend::kernel::direct;

namespace {

const auto without_avx512 = doctest::skip(!avx512::available());

// The result and both gradients.
std::vector<Tensor> all_of(const Tensor& g, const Tensor& x, const Tensor& w, const Convolution& how) {
  return {kernel::conv(x, w, how), kernel::conv_to_input(g, w, x.shape(), how),
          kernel::conv_to_weight(g, x, w.shape(), how)};
}

Tensor wide(const Tensor& x) { return kernel::cast(x, DType::float64); }

struct Case {
  Shape x, weight;
  Convolution how;
};

// Which of the three are computed without columns: one character each.
std::string suited(const Case& c) {
  const kernel::Walk walk("conv", c.x, c.weight, c.how);
  const auto mark = [](bool suits) { return suits ? "1" : "0"; };
  return std::string(mark(direct::suits_conv(walk, DType::float32))) +
         mark(direct::suits_conv_to_input(walk, DType::float32)) +
         mark(direct::suits_conv_to_weight(walk, DType::float32));
}

void check_as_columns(const Case& c) {
  INFO(text(c.x), " by ", text(c.weight), " stride ", c.how.stride, " padding ", c.how.padding, " dilation ",
       c.how.dilation, " groups ", c.how.groups);
  const Tensor x = random(c.x, DType::float32, 2), w = random(c.weight, DType::float32, 3);
  const Tensor g = random(kernel::Walk("conv", c.x, c.weight, c.how).result(), DType::float32, 4);
  const std::vector<Tensor> found = all_of(g, x, w, c.how), expected = all_of(wide(g), wide(x), wide(w), c.how);
  for (std::size_t i = 0; i < found.size(); ++i) check_agree(found[i], expected[i], 2e-4, 1e-5);
}

// Images without so many rows and columns on every side.
Tensor inner(const Tensor& x, Size border) {
  return slice(slice(x, 2, border, x.shape()[2] - 2 * border), 3, border, x.shape()[3] - 2 * border);
}

// Where the numbers are finite.
std::vector<double> finite(const Tensor& x) { return kernel::is_finite(x).to_vector(); }

}  // namespace

TEST_CASE("for every number of places and outputs around a tile's the direct form is that of columns") {
  for (Size O : {12, 15, 16, 24, 29, 32, 44, 48, 61}) {
    for (Size W : {4, 5, 7, 13, 14, 15, 16, 27, 28, 29, 43})
      check_as_columns({{22, 12, 3, W}, {O, 12, 3, 3}, {1, 1, 1, 1}});
  }
}

TEST_CASE("for every number of elements of a window, around a tile's, the direct form is that of columns") {
  for (Size C : {1, 2, 3, 7}) {
    for (Size u : {1, 2, 3}) {
      for (Size v : {1, 2, 5}) check_as_columns({{7, C, 6, 9}, {16, C, u, v}, {1, 1, 1, 1}});
    }
  }
}

TEST_CASE("however windows walk, the direct form is that of columns") {
  for (Size stride : {1, 2, 3}) {
    for (Size padding : {0, 1, 2, 5}) {
      for (Size dilation : {1, 2, 3}) {
        for (Size groups : {1, 2}) {
          const Case c{{20, 16 * groups, 9, 17}, {16 * groups, 16, 3, 2}, {stride, padding, dilation, groups}};
          check_as_columns(c);
        }
      }
    }
  }
}

TEST_CASE("images in parts and weights in pieces are those of columns too") {
  for (const Case& c : {Case{{2, 64, 7, 40}, {12, 64, 3, 3}, {1, 1, 1, 1}},     // two rows at a time, and a rest
                        Case{{1, 128, 13, 69}, {24, 64, 3, 3}, {2, 1, 1, 2}},   // the same in groups, strided
                        Case{{37, 12, 14, 14}, {32, 12, 3, 3}, {1, 1, 1, 1}},   // 4 pieces, the last of them short
                        Case{{19, 32, 12, 12}, {32, 16, 3, 3}, {1, 1, 1, 2}}})  // of each of two groups
    check_as_columns(c);
}

TEST_CASE("views of images, weights and cotangents are read where they lie, with the same bits") {
  for (const Convolution& how : {Convolution{1, 1, 1, 2}, Convolution{2, 0, 1, 2}}) {
    const Tensor x = random({13, 24, 6, 11}, DType::float32, 2), w = random({24, 12, 3, 3}, DType::float32, 3);
    const Tensor g = random(kernel::Walk("conv", x.shape(), w.shape(), how).result(), DType::float32, 4);
    const std::vector<Tensor> expected = all_of(g, x, w, how);
    for (const View& view : views_of(x))
      CHECK_MESSAGE(same_bits(all_of(g, view.tensor, w, how)[2], expected[2]), view.name);
    for (const View& view : views_of(x))
      CHECK_MESSAGE(same_bits(all_of(g, view.tensor, w, how)[0], expected[0]), view.name);
    for (const View& view : views_of(w))
      CHECK_MESSAGE(same_bits(all_of(g, x, view.tensor, how)[1], expected[1]), view.name);
    for (const View& view : views_of(g)) {
      CHECK_MESSAGE(same_bits(all_of(view.tensor, x, w, how)[1], expected[1]), view.name);
      CHECK_MESSAGE(same_bits(all_of(view.tensor, x, w, how)[2], expected[2]), view.name);
    }
  }
}

TEST_CASE("what is not finite reaches the same windows, outputs and gradients as with columns") {
  const Convolution how{1, 1, 1, 1};
  const Tensor x = random({4, 12, 5, 15}, DType::float32, 2), w = random({29, 12, 3, 3}, DType::float32, 3);
  const Tensor g = random({4, 29, 5, 15}, DType::float32, 4);
  const auto spoilt = [](const Tensor& good, Size place, double bad) {
    std::vector<double> values = good.to_vector();
    values[static_cast<std::size_t>(place)] = bad;
    return Tensor::from(values, good.shape(), DType::float32);
  };
  const auto check = [&](const Tensor& g_, const Tensor& x_, const Tensor& w_, Size border = 0) {
    std::vector<Tensor> found = all_of(g_, x_, w_, how), expected = all_of(wide(g_), wide(x_), wide(w_), how);
    found[1] = inner(found[1], border), expected[1] = inner(expected[1], border);
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(finite(found[i]) == finite(expected[i]));
  };
  for (double bad : {infinity, -infinity, not_a_number}) {
    for (Size place : {0, 14, 15, 40, 74, 899}) check(g, spoilt(x, place, bad), w);
    for (Size place : {0, 14, 74, 1200, 2174}) check(spoilt(g, place, bad), x, w);
    for (Size place : {0, 8, 107, 108, 3131}) {
      check(g, x, spoilt(w, place, bad), 1);  // it meets zeros at the border of the image's gradient
    }
  }
}

TEST_CASE("the direct form is taken where lanes are full, windows overlap and the processor can" * without_avx512) {
  CHECK(suited({{4, 16, 8, 8}, {32, 16, 3, 3}, {1, 1, 1, 1}}) == "111");
  CHECK(suited({{16, 16, 8, 8}, {32, 16, 3, 3}, {2, 1, 1, 1}}) == "101");  // the image's gradient would have gaps
  CHECK(suited({{4, 16, 8, 8}, {32, 16, 3, 3}, {1, 3, 1, 1}}) == "101");  // and here the padding is wider than a window
  CHECK(suited({{4, 1, 8, 8}, {16, 1, 3, 3}, {1, 1, 1, 1}}) == "101");    // one channel would fill one lane
  CHECK(suited({{4, 16, 8, 8}, {11, 16, 3, 3}, {1, 1, 1, 1}}) == "010");
  CHECK(suited({{11, 16, 8, 3}, {32, 16, 3, 3}, {1, 1, 1, 1}}) == "001");   // too few places side by side
  CHECK(suited({{4, 16, 8, 8}, {32, 16, 1, 1}, {1, 0, 1, 1}}) == "000");    // a product already
  CHECK(suited({{3, 16, 8, 8}, {32, 16, 3, 3}, {1, 1, 1, 1}}) == "001");    // too few places to arrange a weight for
  CHECK(suited({{4, 228, 8, 8}, {32, 228, 3, 3}, {1, 1, 1, 1}}) == "011");  // too many elements of a window
}
