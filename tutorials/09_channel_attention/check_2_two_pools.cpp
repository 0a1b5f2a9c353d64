// The check of exercise 2: shapes, tiny numbers, properties, differences.
#include <functional>

#include "nn/attention/channel.hpp"
#include "tensor/random.hpp"
#include "tutorials/09_channel_attention/exercise_2_two_pools.hpp"
#include "tutorials/09_channel_attention/on_paper.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"

using namespace attend;
using namespace attend::chapter09;
using namespace attend::lesson;

namespace {

constexpr Size C = 6, hidden = 2;

TwoPoolsInputs random_inputs(Size B, Size H, Size W) {
  Rng rng(1);
  const auto draw = [&](const Shape& shape) { return Var::parameter(rng.normal(shape, 0, 1, DType::float64)); };
  return {draw({B, C, H, W}), draw({C, hidden}), draw({hidden, C})};
}

// The layer of the library, which tests compare with plain loops, with these matrices.
Tensor expected_of(const TwoPoolsInputs& in) {
  const Size channels = in.W_1.shape()[0], inner = in.W_1.shape()[1];
  Rng rng(1);
  ChannelAttention layer(channels, rng, channels / inner);
  layer.squeeze.weight = reshape(transpose(in.W_1), {inner, channels, 1, 1});
  layer.excite.weight = reshape(transpose(in.W_2), {channels, inner, 1, 1});
  return squeeze(layer.gates(in.x), {2, 3}).value();
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

struct Suspect {
  std::function<Var(const TwoPoolsInputs&)> gates;
  std::string bug;
};

Var F(const Var& z, const TwoPoolsInputs& in) { return matmul(relu(matmul(z, in.W_1)), in.W_2); }
Var of_mean(const TwoPoolsInputs& in) { return F(mean(in.x, {2, 3}), in); }
Var of_largest(const TwoPoolsInputs& in) { return F(max(in.x, {2, 3}), in); }

std::vector<Suspect> suspects() {
  return {
      {[](const TwoPoolsInputs& in) { return sigmoid(of_mean(in)); },
       "the mean alone: that is squeeze-and-excitation. The maximum goes through the same matrices."},
      {[](const TwoPoolsInputs& in) { return sigmoid(of_largest(in)); },
       "the maximum alone. The mean goes through the same matrices."},
      {[](const TwoPoolsInputs& in) {
         return sigmoid(F(mean(in.x, {2, 3}) + max(in.x, {2, 3}), in));
       },
       "mean and maximum were added before the bottleneck. Each has its own relu: F(a) + F(b) is not F(a + b)."},
      {[](const TwoPoolsInputs& in) { return sigmoid(of_mean(in) * of_largest(in)); },
       "the two scores were multiplied. What the print lost is a plus."},
      {[](const TwoPoolsInputs& in) { return sigmoid(of_mean(in)) + sigmoid(of_largest(in)); },
       "two sigmoids were added: such a gate goes up to 2. Add the scores, then one sigmoid."},
      {[](const TwoPoolsInputs& in) { return sigmoid(0.5 * (of_mean(in) + of_largest(in))); },
       "that is the mean of the two scores. They are added."},
      {[](const TwoPoolsInputs& in) { return of_mean(in) + of_largest(in); },
       "sigmoid is missing: the gates are the scores themselves."},
      {[](const TwoPoolsInputs& in) { return softmax(of_mean(in) + of_largest(in)); },
       "softmax in place of sigmoid: the gates of an image sum to 1. Here each is on its own."},
      {[](const TwoPoolsInputs& in) {
         return sigmoid(F(mean(in.x, {1, 2}), in) + F(max(in.x, {1, 2}), in));
       },
       "pooled over axes 1 and 2, the channels and rows. Axes count from 0: [B, C, H, W], and positions are 2 and 3."},
      {[](const TwoPoolsInputs& in) {
         return sigmoid(matmul(matmul(mean(in.x, {2, 3}) + max(in.x, {2, 3}), in.W_1), in.W_2));
       },
       "relu is missing between W_1 and W_2."},
  };
}

std::string likely_bug(const TwoPoolsAnswer& answer) {
  const TwoPoolsInputs in = random_inputs(2, 3, C);  // as wide as there are channels: no mix-up of axes throws
  const auto look = [&](const Var& given) -> std::string {
    for (const Suspect& suspect : suspects()) {
      if (close(given.value(), suspect.gates(in).value())) return suspect.bug;
    }
    return "";
  };
  return likely_bug_of([&] { return answer.gates(in); }, look);
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shape(const TwoPoolsAnswer& answer, Steps& steps) {
  const TwoPoolsInputs in = random_inputs(3, 4, 5);
  const std::string expected = text(Shape{3, C});
  expect_shapes(
      steps, "x [3, 6, 4, 5]", expected, [&] { return shape_of(answer.gates(in)); },
      [&] { return likely_bug(answer); });
}

void check_numbers(const TwoPoolsAnswer& answer, Steps& steps) {
  const PaperExample paper = paper_example();
  const TwoPoolsInputs small = {Var(paper.x), Var(paper.W_1), Var(paper.W_2)};
  const Tensor given = answer.gates(small).value();
  if (!close(given, expected_of(small))) {
    throw Mistake(
        "The gates of the page's example:\nexpected: " + listed(expected_of(small)) + "\nyours:    " + listed(given),
        likely_bug(answer));
  }
  steps.passed("the page's example: gates " + listed(given));
  const TwoPoolsInputs large = random_inputs(2, 3, C);
  if (!close(answer.gates(large).value(), expected_of(large))) {
    throw Mistake("The page's example comes out right, random images do not.", likely_bug(answer));
  }
  steps.passed("random images");
}

void check_properties(const TwoPoolsAnswer& answer, Steps& steps) {
  const TwoPoolsInputs in = random_inputs(3, 4, 5);
  const Var constant = broadcast_to(mean(in.x, {2, 3}, true), in.x.shape());
  const Tensor twice = sigmoid(2.0 * of_mean(in)).value();
  if (!close(answer.gates({constant, in.W_1, in.W_2}).value(), twice)) {
    throw Mistake(
        "On constant maps mean and maximum are equal, and the gates those of SE with twice W_2. Yours are not.",
        likely_bug(answer));
  }
  steps.passed("properties: on constant maps it is SE with twice W_2");
}

void check_differences(const TwoPoolsAnswer& answer, Steps& steps) {
  const TwoPoolsInputs in = random_inputs(2, 3, 4);
  if (!answer.gates(in).needs_grad()) {
    throw Mistake("The numbers are right, but no gradient reaches W_1 and W_2.", likely_bug(answer));
  }
  expect_gradients(
      steps, "two pools",
      [&](const Vars& v) {
        return answer.gates({v[0], v[1], v[2]});
      },
      {in.x.value(), in.W_1.value(), in.W_2.value()}, [&] { return likely_bug(answer); });
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/09_channel_attention/exercise_2_two_pools.cpp", two_pools_answers(),
                       {check_shape, check_numbers, check_properties, check_differences});
}
