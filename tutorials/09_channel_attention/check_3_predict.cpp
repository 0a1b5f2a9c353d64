// The check of exercise 3: what the library says.
#include "autograd/ops.hpp"
#include "nn/attention/squeeze_excitation.hpp"
#include "nn/parameters.hpp"
#include "tensor/random.hpp"
#include "tutorials/09_channel_attention/cost.hpp"
#include "tutorials/lesson/predict.hpp"

using namespace attend;
using namespace attend::chapter09;
using namespace attend::lesson;

namespace {

std::vector<Riddle> riddles() {
  Rng rng(1);
  const SqueezeExcitation layer(64, 16, rng);
  double learned = 0;
  for (const Var& parameter : parameters(layer)) learned += static_cast<double>(parameter.value().size());
  const auto gates = static_cast<double>(layer.gates(rng.normal({8, 64, 14, 14}, 0, 1)).value().size());
  const double closed_sum = sum(layer.gates(Tensor::zeros({1, 64, 14, 14}))).item();

  return {
      {"SE, 64 channels, r = 16: how many numbers are learned?",
       learned,
       {{256, "there are two matrices."},
        {4096, "the bottleneck is 64 / 16 = 4 wide."},
        {131072, "r divides the width of the bottleneck."}}},
      {"x [8, 64, 14, 14]: how many gates?",
       gates,
       {{64, "each image has gates of its own."}, {100352, "a gate belongs to a channel, not to a position."}}},
      {"64 scores of 0: the sum of the gates?",
       closed_sum,
       {{1, "a gate is a sigmoid of its own, and no share of a whole."}, {0, "the sigmoid of 0 is not 0."}}},
      {"SE in ResNet-50, r = 16: percent more numbers?",
       100.0 * static_cast<double>(excitations(16).parameters) / static_cast<double>(resnet50().parameters),
       {{1, "that is what is often said of the multiplications; the matrices are as wide as the last stages."}},
       0.05},
      {"SE in ResNet-50, r = 16: percent more multiplications?",
       100.0 * static_cast<double>(excitations(16).multiplications) / static_cast<double>(resnet50().multiplications),
       {{9.9, "each number is used once for an image, and not at each position."}},
       0.1}};
}

}  // namespace

int main(int argc, char** argv) {
  return check_predictions(argc, argv, "tutorials/09_channel_attention/exercise_3_predict.cpp", predictions(),
                           riddles());
}
