// The check of exercise 3: what the library says.
#include "nn/attention/linear_attention.hpp"
#include "nn/attention/performer.hpp"
#include "nn/variants/variant.hpp"
#include "tutorials/13_low_rank_and_kernels/maps.hpp"
#include "tutorials/lesson/predict.hpp"
#include "tutorials/lesson/variant_cost.hpp"

using namespace attend;
using namespace attend::chapter13;
using namespace attend::lesson;

namespace {

double kept_numbers(Size positions, Size d) {
  Rng rng(1);
  const Var x(rng.normal({1, 1, positions, d}, 0, 1));
  RunningSums state;
  LinearAttention().step(x, x, x, state);
  return static_cast<double>(state.sums.size());
}

double growth_of_linear() {
  const Variant linear = kernel_family().variants[0];
  const auto counted = [&](Size T) { return static_cast<double>(counted_multiplications(linear, T, 16)); };
  return counted(1024) / counted(512);
}

double share_of_error() {
  Rng rng(1);
  const std::vector<PerformerError> errors = performer_errors({0.1}, {64, 256}, 32, rng);
  return errors[1].error / errors[0].error;
}

std::vector<Riddle> riddles() {
  const Pairs random = three_maps(1, 64, 16, 1)[1];
  return {{"64 positions, width 16: what is the rank of the weights?",
           ranks(random).weights,
           {{16, "that is the rank of the scores. exp is taken of each of them."},
            {1, "that a row adds up to 1 fixes one sum of each row, and not the rest."}}},
          {"Width 64: how many numbers does linear attention keep after 1,000 positions?",
           kept_numbers(1000, 64),
           {{128000, "so many softmax attention keeps: all keys and values."},
            {4096, "that is the sum of all φ(k) vᵀ; the normaliser belongs to it."}}},
          {"Twice T: how many times the work of linear attention?",
           growth_of_linear(),
           {{4, "no pairs are formed: each position enters a sum, and reads it."}},
           0.02},
          {"Four times the directions: to what share does the error fall?",
           share_of_error(),
           {{0.25, "so falls the square of the error, the variance."}, {1, "so it is for large queries and keys."}},
           0.2},
          {"A key of 0: how large is each feature?",
           elu_features(Tensor::zeros({1}, DType::float64)).item(),
           {{0, "elu(0) is 0, and 1 is added. Hence padding is hidden behind the features."}}}};
}

}  // namespace

int main(int argc, char** argv) {
  return check_predictions(argc, argv, "tutorials/13_low_rank_and_kernels/exercise_3_predict.cpp", predictions(),
                           riddles());
}
