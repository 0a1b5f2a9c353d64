// The check of exercise 3: what the library says.
#include "nn/attention/head_forms.hpp"
#include "nn/attention/multi_head.hpp"
#include "nn/parameters.hpp"
#include "tensor/random.hpp"
#include "tutorials/lesson/predict.hpp"

using namespace attend;
using namespace attend::lesson;

namespace {

std::vector<Riddle> riddles() {
  Rng rng(1);
  const auto numbers_in = [](const Var& x) { return static_cast<double>(x.value().size()); };
  const auto learned_by = [&](auto layer) {
    double count = 0;
    for (const Var& parameter : parameters(layer)) count += numbers_in(parameter);
    return count;
  };
  const auto learned = [&](Size heads) { return learned_by(MultiHeadAttention(64, heads, rng)); };
  const auto weights = [&](Size heads) {
    return numbers_in(MultiHeadAttention(64, heads, rng)(rng.normal({2, 10, 64}, 0, 1)).weights);
  };
  const double shared = learned_by(SharedHeadAttention(64, 8, rng));
  const auto width =
      static_cast<double>(MultiHeadAttention(64, 8, rng).query_heads(Tensor::zeros({1, 1, 64})).shape().back());

  return {
      {"E = 64, 8 heads: the width of a head?", width, {{64, "the heads share the width among themselves."}}},
      {"x [2, 10, 64], 8 heads: how many weights?",
       weights(8),
       {{200, "each head has weights of its own."},
        {1280, "those are the numbers of x; a weight belongs to a pair of words and a head."}}},
      {"E = 64, article 1: how many numbers are learned?",
       learned(8),
       {{16384, "all four projections have a bias here."}, {12480, "the fourth matrix mixes the heads at the end."}}},
      {"The same with 2 heads?",
       learned(2),
       {{4160, "the matrices do not know how the width is cut."},
        {66560, "cutting the width into fewer pieces makes no more numbers."}}},
      {"Article 2, 8 heads: how many numbers are learned?",
       shared,
       {{16640, "its queries, keys and values have d² numbers each, d = 8."},
        {5696, "the small matrix is there once, and not once for each head."}}}};
}

}  // namespace

int main(int argc, char** argv) {
  return check_predictions(argc, argv, "tutorials/06_many_heads/exercise_3_predict.cpp", predictions(), riddles());
}
