// The check of exercise 3: what the library says.
#include <cmath>

#include "nn/attention/additive.hpp"
#include "nn/parameters.hpp"
#include "tensor/random.hpp"
#include "tutorials/lesson/predict.hpp"

using namespace attend;
using namespace attend::lesson;

namespace {

std::vector<Riddle> riddles() {
  Rng rng(1);
  AdditiveAttention layer(48, 96, 64, rng);
  const auto numbers_in = [](const Var& x) { return static_cast<double>(x.value().size()); };
  const Var keys = rng.normal({4, 12, 96}, 0, 1);
  const Attended attended = layer(rng.normal({4, 9, 48}, 0, 1), keys, keys);
  double learned = 0;
  for (const Var& parameter : parameters(layer)) learned += numbers_in(parameter);
  const Var equal = Tensor::zeros({1, 1, 12}, DType::float64);
  const auto padded = [&](std::size_t key) {
    return attention_weights(equal, padding_mask({8}, 12)).value().to_vector()[key];
  };

  return {{"Queries [4, 9, 48], keys [4, 12, 96]: how many scores?",
           numbers_in(attended.weights),
           {{108, "that is one text of the batch; there are four."},
            {27648, "that is before v has made one number of each pair."}}},
          {"How many numbers has the sum of all pairs?",
           64 * numbers_in(attended.weights),
           {{432, "those are the scores. A pair still has 64 numbers here."}}},
          {"How many numbers does the layer learn?",
           learned,
           {{9216, "v is learned as well."}, {6208, "W_k has 96 rows, and W_q 48."}}},
          {"4 of 12 keys are padding, equal scores: the weight of another?",
           padded(0),
           {{1.0 / 12, "padding gets nothing, and its share goes to the others."}},
           1e-6},
          {"The weight of padding?",
           padded(11),
           {{1.0 / 12, "padding is hidden inside softmax: it has no share at all."}}}};
}

}  // namespace

int main(int argc, char** argv) {
  return check_predictions(argc, argv, "tutorials/03_additive_attention/exercise_3_predict.cpp", predictions(),
                           riddles());
}
