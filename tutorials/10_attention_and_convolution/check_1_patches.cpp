// The check of exercise 1: shape, tiny numbers, properties, differences, a linear layer that is a convolution.
#include "nn/conv.hpp"
#include "tensor/random.hpp"
#include "tutorials/10_attention_and_convolution/exercise_1_patches.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter10;
using namespace attend::lesson;

namespace {

constexpr Size B = 2, C = 3, H = 4, W = 6, P = 2, N = 6;  // all different, so that no mix-up can hide

// Pixels numbered 0, 1, 2, ... : what a patch holds can be read off.
Var numbered(const Shape& shape) {
  std::vector<double> values;
  for (Size i = 0; i < element_count(shape); ++i) values.push_back(static_cast<double>(i));
  return Var::parameter(Tensor::from(values, shape, DType::float64));
}

// What is asked for, element by element.
Tensor by_loops(const Var& x, Size p) {
  const auto [b_size, c_size, h_size, w_size] = dims<4>(x);
  std::vector<double> values;
  for (Size b = 0; b < b_size; ++b) {
    for (Size i = 0; i < h_size; i += p) {
      for (Size j = 0; j < w_size; j += p) {
        for (Size c = 0; c < c_size; ++c) {
          for (Size u = 0; u < p; ++u) {
            for (Size v = 0; v < p; ++v) values.push_back(x.value().at({b, c, i + u, j + v}));
          }
        }
      }
    }
  }
  return Tensor::from(values, {b_size, h_size / p * (w_size / p), c_size * p * p}, DType::float64);
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

struct Suspect {
  Axes order;  // of the six axes: image, channel, square's row, row, square's column, column
  std::string bug;
};

std::vector<Suspect> suspects() {
  return {
      {{0, 1, 2, 3, 4, 5},
       "a reshape alone gives strips of a row, not squares: it never changes the order of the numbers. permute first."},
      {{0, 4, 2, 1, 3, 5}, "the squares come column by column; the square's row stands before the square's column."},
      {{0, 2, 4, 1, 5, 3}, "inside a square the pixels come column by column; its rows stand before its columns."},
      {{0, 2, 4, 3, 5, 1}, "the channel is the fastest axis of a patch; it comes first, before row and column."},
      {{0, 3, 5, 1, 2, 4},
       "a patch holds pixels that stand far apart, every p-th: the place of the square and the place in it are "
       "exchanged."},
  };
}

std::string likely_bug(const PatchesAnswer& answer) {
  const Var x = numbered({B, C, H, W});
  const auto look = [&](const Var& given) -> std::string {
    if (given.shape() == Shape{B, C * P * P, N}) return "the last two axes are exchanged: squares stand before pixels.";
    if (given.shape() == Shape{B, C * N, P * P}) {
      return "a patch of its own for each channel. A patch holds all channels of a square.";
    }
    const Var cut = reshape(x, {B, C, H / P, P, W / P, P});
    for (const Suspect& suspect : suspects()) {
      const Var wrong = reshape(permute(cut, suspect.order), {B, N, C * P * P});
      if (close(given.value(), wrong.value())) return suspect.bug;
    }
    return "";
  };
  return likely_bug_of([&] { return answer.patches(x, P); }, look);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

std::string row_of(const Tensor& patches, Size patch) {
  std::string out;
  for (Size i = 0; i < patches.shape()[2]; ++i) {
    out += (out.empty() ? "" : ", ") + significant(patches.at({0, patch, i}), 4);
  }
  return out;
}

void check_shape(const PatchesAnswer& answer, Steps& steps) {
  const std::string expected = text(Shape{B, N, C * P * P});
  expect_shapes(
      steps, "x " + text(Shape{B, C, H, W}) + " and p = 2", expected,
      [&] {
        return shape_of(answer.patches(numbered({B, C, H, W}), P));
      },
      [&] { return likely_bug(answer); });
}

void check_numbers(const PatchesAnswer& answer, Steps& steps) {
  const Var small = numbered({1, 1, 4, 4}), large = numbered({B, C, H, W});
  const Tensor given = answer.patches(small, P).value(), wanted = by_loops(small, P);
  if (!close(given, wanted)) {
    throw Mistake("The page's image of 4 × 4 pixels, numbered row by row. Patch 1:\nexpected: " + row_of(wanted, 1) +
                      "\nyours:    " + row_of(given, 1),
                  likely_bug(answer));
  }
  steps.passed("the page's image: patch 1 holds " + row_of(given, 1));
  const Tensor found = answer.patches(large, P).value(), all = by_loops(large, P);
  if (!close(found, all)) {
    throw Mistake("One channel comes out right. With three, patch 1 is\nexpected: " + row_of(all, 1) +
                      "\nyours:    " + row_of(found, 1),
                  likely_bug(answer));
  }
  steps.passed("two images of three channels");
}

void check_convolution(const PatchesAnswer& answer, Steps& steps) {
  constexpr Size out = 5;
  Rng rng(1);
  const Var x(rng.normal({B, C, H, W}, 0, 1, DType::float64));
  const Var weight(rng.normal({C * P * P, out}, 0, 1, DType::float64));
  ConvOptions strided;
  strided.stride = P;
  const Var y = conv2d(x, reshape(transpose(weight), {out, C, P, P}), {}, strided);  // [B, out, H / P, W / P]
  if (!close(matmul(answer.patches(x, P), weight).value(), transpose(reshape(y, {B, out, N})).value())) {
    throw Mistake("Patches times a matrix are not the convolution with kernel and stride 2.", likely_bug(answer));
  }
  steps.passed("times a matrix: the convolution with kernel and stride of a patch");
}

void check_differences(const PatchesAnswer& answer, Steps& steps) {
  const Var x = numbered({B, C, H, W});
  if (!answer.patches(x, P).needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches x: the patches have no history.", likely_bug(answer));
  }
  Rng rng(2);
  expect_gradients(
      steps, "patches", [&](const Vars& in) { return tanh(answer.patches(in[0], P)); },
      {rng.normal({B, C, H, W}, 0, 1, DType::float64)}, [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/10_attention_and_convolution/exercise_1_patches.cpp", patches_answers(),
                       {check_shape, check_numbers, check_convolution, check_differences});
}
