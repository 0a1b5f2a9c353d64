// The check of exercise 3: what the library says.
#include "nn/attention/dot_product.hpp"
#include "nn/conv.hpp"
#include "nn/parameters.hpp"
#include "nn/vision_transformer.hpp"
#include "tensor/random.hpp"
#include "tutorials/10_attention_and_convolution/looking.hpp"
#include "tutorials/lesson/predict.hpp"

using namespace attend;
using namespace attend::chapter10;
using namespace attend::lesson;

namespace {

std::vector<Riddle> riddles() {
  Rng rng(1);
  const auto patches = [](Size channels, Size side, Size axis) {
    return static_cast<double>(image_patches(Tensor::zeros({1, channels, side, side}), 4).shape()[axis]);
  };
  const Size tokens = 1 + static_cast<Size>(patches(1, 28, 1));
  const Var words = rng.normal({1, tokens, 8}, 0, 1);
  const auto weights = static_cast<double>(scaled_dot_attention(words, words, words).weights.value().size());
  const Var first = Tensor::from({0.5, 0.5, 1, 0}, {1, 1, 2, 2}, DType::float64);
  const Var second = Tensor::from({0, 1, 0, 1}, {1, 1, 2, 2}, DType::float64);
  const double rolled = rollout({first, second}).at({0, 0, 0});
  ConvOptions options;
  options.bias = false;
  double convolution = 0;
  for (const Var& parameter : parameters(Conv2d(16, 16, 3, rng, options))) {
    convolution += static_cast<double>(parameter.value().size());
  }

  return {{"28 × 28 pixels, patches of 4 × 4: how many?",
           patches(1, 28, 1),
           {{7, "that is one row of them."}, {196, "a patch takes 4 × 4 pixels, not 4."}}},
          {"3 channels: how many numbers has a patch?",
           patches(3, 28, 2),
           {{16, "all three channels are in it."}, {12, "a patch has 4 rows of 4 pixels."}}},
          {"With the class token: weights of one head?",
           weights,
           {{2401, "the class token looks, and is looked at."}, {50, "that is one row: what one token looks at."}}},
          {"The rollout of the page: token 0 of token 0?",
           rolled,
           {{1, "layers mix: some of token 1 comes in."},
            {0.5, "what goes through token 1 comes back from token 0 as well."}}},
          {"3 × 3, 16 to 16 channels: how many numbers?",
           convolution,
           {{256, "that is 1 × 1."}, {144, "each of the 16 results has a window of its own."}}}};
}

}  // namespace

int main(int argc, char** argv) {
  return check_predictions(argc, argv, "tutorials/10_attention_and_convolution/exercise_3_predict.cpp", predictions(),
                           riddles());
}
