// The check of exercise 2: shape, numbers, properties, differences.
#include <cmath>
#include <functional>
#include <utility>

#include "tensor/random.hpp"
#include "tutorials/10_attention_and_convolution/exercise_2_pixels.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter10;
using namespace attend::lesson;

namespace {

constexpr Size B = 2, C = 5, H = 2, W = 3, D = 4, V = 7;  // all different, so that no mix-up can hide

PixelInputs random_inputs() {
  Rng rng(1);
  const auto draw = [&](const Shape& shape) { return Var::parameter(rng.normal(shape, 0, 1, DType::float64)); };
  return {draw({B, C, H, W}), draw({C, D}), draw({C, D}), draw({C, V})};
}

// The formula with one index a letter: b image, c channel, p and q pixels, d and v features.
Attended expected_of(const PixelInputs& in) {
  const Var words = reshape(in.x, {B, C, H * W});
  const Var Q = einsum("bcp,cd->bpd", {words, in.W_q}), K = einsum("bcp,cd->bpd", {words, in.W_k});
  const Var scores = einsum("bpd,bqd->bpq", {Q, K}) / std::sqrt(static_cast<double>(D));
  const Var weights = softmax(scores);
  return {reshape(einsum("bpq,bcq,cv->bvp", {weights, words, in.W_v}), {B, V, H, W}), weights};
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

struct Suspect {
  std::function<Var(const PixelInputs&)> weights;
  std::string bug;
};

// The scores before they are scaled: [B, H · W, H · W].
Var products(const Var& pixels, const PixelInputs& in) {
  return matmul(matmul(pixels, in.W_q), transpose(matmul(pixels, in.W_k)));
}

Var words_of(const PixelInputs& in) { return transpose(reshape(in.x, {B, C, H * W})); }

std::vector<Suspect> suspects() {
  const double root = std::sqrt(static_cast<double>(D));
  return {
      {[=](const PixelInputs& in) {
         return softmax(products(reshape(in.x, {B, H * W, C}), in) / root);
       },
       "a reshape to [B, H · W, C] mixes pixels with channels: it never changes the order of the numbers. Transpose."},
      {[=](const PixelInputs& in) {
         return softmax(products(reshape(permute(in.x, {0, 3, 2, 1}), {B, H * W, C}), in) / root);
       },
       "the pixels come column by column; row by row is asked for, as reshape reads them."},
      {[=](const PixelInputs& in) { return softmax(products(words_of(in), in) / root, 1); },
       "every COLUMN of the weights sums to 1: softmax ran over axis 1, the pixels that look."},
      {[=](const PixelInputs& in) { return softmax(products(words_of(in), in)); },
       "the scale is missing: divide the products by √D (chapter 04)."},
      {[=](const PixelInputs& in) { return softmax(products(words_of(in), in) / std::sqrt(static_cast<double>(C))); },
       "the root is taken of the number of channels. What grows the products is the width of queries and keys, D."},
      {[=](const PixelInputs& in) { return products(words_of(in), in) / root; },
       "the weights are the scores themselves: softmax is missing."},
      {[=](PixelInputs in) {
         std::swap(in.W_q, in.W_k);
         return softmax(products(words_of(in), in) / root);
       },
       "queries and keys have changed places: a row of the weights belongs to the pixel that looks."},
  };
}

std::string likely_bug(const PixelAnswer& answer) {
  const PixelInputs in = random_inputs();
  const auto look = [&](const Attended& given) -> std::string {
    for (const Suspect& suspect : suspects()) {
      if (close(given.weights.value(), suspect.weights(in).value())) return suspect.bug;
    }
    const Var mixed = reshape(matmul(expected_of(in).weights, matmul(words_of(in), in.W_v)), {B, V, H, W});
    if (close(given.context.value(), mixed.value())) {
      return "on the way back pixels and features are mixed: transpose to [B, V, H · W] before you reshape.";
    }
    return "";
  };
  return likely_bug_of([&] { return answer.attention(in); }, look);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shape(const PixelAnswer& answer, Steps& steps) {
  const std::string expected = "weights " + text(Shape{B, H * W, H * W}) + ", context " + text(Shape{B, V, H, W});
  expect_shapes(
      steps, "x " + text(Shape{B, C, H, W}), expected, [&] { return shape_of(answer.attention(random_inputs())); },
      [&] { return likely_bug(answer); });
}

std::string first_row(const Tensor& x) {
  const std::vector<double> values = x.to_vector();
  std::string out;
  for (Size i = 0; i < x.shape().back(); ++i) {
    out += (out.empty() ? "" : ", ") + fixed(values[static_cast<std::size_t>(i)], 4);
  }
  return out;
}

void check_numbers(const PixelAnswer& answer, Steps& steps) {
  const PixelInputs in = random_inputs();
  const Attended given = answer.attention(in), wanted = expected_of(in);
  const auto compare = [&](const std::string& what, const Var& found, const Var& right) {
    if (close(found.value(), right.value())) return;
    throw Mistake(what + "\nexpected: " + first_row(right.value()) + "\nyours:    " + first_row(found.value()),
                  likely_bug(answer));
  };
  compare("The weights of the first pixel:", given.weights, wanted.weights);
  compare("The weights are right. The first row of the context's first feature:", given.context, wanted.context);
  steps.passed("weights and context of random images");
}

void check_properties(const PixelAnswer& answer, Steps& steps) {
  PixelInputs in = random_inputs();
  const Attended given = answer.attention(in);
  in.x = flip(in.x, {3});
  if (!close(answer.attention(in).context.value(), flip(given.context, {3}).value())) {
    throw Mistake("A mirrored image does not give the mirrored result.",
                  "a place has a part in the scores; only what stands there may have one.");
  }
  steps.passed("a mirrored image gives the mirrored result: no pixel knows where it stands");
}

void check_differences(const PixelAnswer& answer, Steps& steps) {
  const PixelInputs in = random_inputs();
  if (!answer.attention(in).weights.needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches W_q and W_k: the weights have no history.",
                  likely_bug(answer));
  }
  expect_gradients(
      steps, "attention between pixels",
      [&](const Vars& v) {
        return answer.attention({v[0], v[1], v[2], v[3]}).context;
      },
      {in.x.value(), in.W_q.value(), in.W_k.value(), in.W_v.value()}, [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/10_attention_and_convolution/exercise_2_pixels.cpp", pixel_answers(),
                       {check_shape, check_numbers, check_properties, check_differences});
}
