// The check of exercise 3: what the library says.
#include <cmath>

#include "autograd/ops.hpp"
#include "nn/attention/multi_head.hpp"
#include "nn/decoding.hpp"
#include "tensor/random.hpp"
#include "tutorials/lesson/predict.hpp"

using namespace attend;
using namespace attend::lesson;

namespace {

std::vector<Riddle> riddles() {
  Rng rng(1);
  const auto numbers_in = [](const Tensor& x) { return static_cast<double>(x.size()); };
  const Tensor four = cast(Var(causal_mask(4, 4).for_scores({1, 1, 4, 4})), DType::float64).value();
  const double hidden = numbers_in(four) - sum(Var(four)).item();
  const Var read_words = rng.normal({2, 9, 16}, 0, 1);
  const Attended cross = MultiHeadAttention(16, 4, rng)(rng.normal({2, 6, 16}, 0, 1), read_words, read_words);
  double read = 0;
  for (int step = 1; step <= 128; ++step) read += step;
  // Symbols: 0 a, 1 b, 2 the end, 3 the beginning.
  const NextSymbol two_words = {[](const Tensor& last) {
    std::vector<double> p;
    for (const std::int64_t symbol : last.to_ints()) {
      const double end = symbol == 0 ? 0.5 : 0.9, rest = (1 - end) / 2;
      for (const double x :
           symbol == 3 ? std::vector<double>{0.6, 0.4, 0, 0} : std::vector<double>{rest, rest, end, 0}) {
        p.push_back(std::log(x));
      }
    }
    return Tensor::from(p, {last.size(), 4}, DType::float64);
  }};
  DecodingOptions options{3, 2, 5};
  options.beam = 2;
  const Decoded found = beam_search(two_words, options)[0];

  return {
      {"A target of 7 with begin and end: how many are read?",
       numbers_in(slice(Tensor::zeros({1, 7}), 1, 0, 7 - 1)),
       {{7, "the last one, end, is never read: nothing comes after it."},
        {5, "begin is read; from it the first word is written."}}},
      {"A causal mask for 4 places: how many pairs?",
       numbers_in(four) - hidden,
       {{16, "a place does not see what stands behind it."}, {6, "a place sees itself, too."}}},
      {"B = 2, 4 heads, 6 written, 9 read: weights of cross-attention?",
       numbers_in(cross.weights.value()),
       {{288, "that is self-attention of the written words."},
        {648, "that is self-attention of the read words."},
        {108, "each head has weights of its own."}}},
      {"128 words without the cache: how many times as many are read?",
       read / 128,
       {{128, "step t reads t words, not all 128."}, {64, "1 + 2 + … + 128 is 128 · 129 / 2."}}},
      {"\"a\" 0.6 · 0.5, \"b\" 0.4 · 0.9: what does a beam of two find?",
       std::exp(found.log_probability),
       {{0.3, "that is what greedy decoding finds."}, {0.66, "a text has one probability; both are other texts."}}}};
}

}  // namespace

int main(int argc, char** argv) {
  return check_predictions(argc, argv, "tutorials/08_transformer/exercise_3_predict.cpp", predictions(), riddles());
}
