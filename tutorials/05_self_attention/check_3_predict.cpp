// The check of exercise 3: what the library says.
#include "nn/attention/self_attention.hpp"
#include "nn/parameters.hpp"
#include "tutorials/05_self_attention/dictionary.hpp"
#include "tutorials/lesson/predict.hpp"

using namespace attend;
using namespace attend::chapter05;
using namespace attend::lesson;

namespace {

std::vector<Riddle> riddles() {
  Rng rng(1);
  SelfAttention layer(32, rng);
  const auto numbers_in = [](const Var& x) { return static_cast<double>(x.value().size()); };
  const auto weights = [&](Size words) { return numbers_in(layer(rng.normal({2, words, 32}, 0, 1)).weights); };
  double learned = 0;
  for (const Var& parameter : parameters(layer)) learned += numbers_in(parameter);
  const Dictionary dictionary = orthonormal_dictionary(8, 16, 1, rng);
  const auto weight_at = [&](double c) {
    return look_up(dictionary, query_for(dictionary, 0, c)).weights.to_vector()[0];
  };

  return {{"x is [2, 6, 32]: how many weights?",
           weights(6),
           {{384, "those of x. A weight belongs to a pair of words: who looks, and who is looked at."},
            {36, "that is one sentence; there are two."}}},
          {"E = 32: how many numbers does the layer learn?",
           learned,
           {{4096, "the output projection has a bias, E more."},
            {4224, "only one of the four projections has a bias."},
            {3072, "there is a fourth matrix, of the output, and its bias."}}},
          {"Twelve words in place of six: how many times as many weights?",
           weights(12) / weights(6),
           {{2, "both axes of a sentence's weights become longer: those who look and those who are looked at."}}},
          {"A query that matches none of 8 keys: the weight of each?",
           weight_at(0),
           {{0, "softmax shares out one whole, whatever the scores are."}}},
          {"c = 2 among 8 orthonormal keys: the key's weight?",
           weight_at(2),
           {{2.0 / 9, "scores are not shared out as they are: softmax takes exp of them first."},
            {0.8808, "that is the weight against one other key; there are seven others."}},
           0.01}};
}

}  // namespace

int main(int argc, char** argv) {
  return check_predictions(argc, argv, "tutorials/05_self_attention/exercise_3_predict.cpp", predictions(), riddles());
}
