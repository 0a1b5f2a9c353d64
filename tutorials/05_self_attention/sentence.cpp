#include "tutorials/05_self_attention/sentence.hpp"

#include <algorithm>

namespace attend::chapter05 {
namespace {

constexpr Size words = 6, width = 6;

Tensor diagonal_matrix(const std::vector<double>& values) {
  const Size n = static_cast<Size>(values.size());
  std::vector<double> numbers(static_cast<std::size_t>(n * n));
  for (Size i = 0; i < n; ++i) numbers[static_cast<std::size_t>(i * n + i)] = values[static_cast<std::size_t>(i)];
  return Tensor::from(numbers, {n, n}, DType::float64);
}

}  // namespace

const Words& sentence() {
  static const Words list = {"The", "cat", "sat", "on", "the", "mat"};
  return list;
}

const Words& axes() {
  static const Words list = {"noun", "verb", "article", "preposition", "animal", "thing"};
  return list;
}

// The whole of what this model knows.
Tensor word_vectors() {
  return Tensor::from({0, 0, 1, 0, 0, 0,   // The: article
                       1, 0, 0, 0, 1, 0,   // cat: noun, animal
                       0, 1, 0, 0, 0, 0,   // sat: verb
                       0, 0, 0, 1, 0, 0,   // on:  preposition
                       0, 0, 1, 0, 0, 0,   // the: article
                       1, 0, 0, 0, 0, 1},  // mat: noun, thing
                      {1, words, width}, DType::float64);
}

SelfAttention noun_layer(double noun) {
  Rng rng(1);  // what it draws is written over
  SelfAttention layer = cast(SelfAttention(width, rng), DType::float64);
  const Tensor identity = diagonal_matrix({1, 1, 1, 1, 1, 1});
  layer.queries.weight = layer.values.weight = layer.output.weight = Var::parameter(identity);
  layer.keys.weight = Var::parameter(diagonal_matrix({noun, 1, 1, 1, 1, 1}));
  return layer;
}

Size looks_most_at(const Tensor& weights, Size word) {
  Size best = word == 0 ? 1 : 0;
  for (Size j = 0; j < weights.shape()[2]; ++j) {
    if (j != word && weights.at({0, word, j}) > weights.at({0, word, best})) best = j;
  }
  return best;
}

double share_of_random_layers(Size layers, Rng& rng) {
  constexpr Size embed = 16;
  const Tensor ids = Tensor::from_ints({0, 1, 2, 3, 0, 4}, {words});  // "The" and "the" are one word
  Size hits = 0;
  for (Size i = 0; i < layers; ++i) {
    const SelfAttention layer(embed, rng);
    const Var x = unsqueeze(embedding(rng.normal({5, embed}, 0, 1), ids), 0);
    hits += looks_most_at(layer(x).weights.value(), cat) == mat;
  }
  return static_cast<double>(hits) / static_cast<double>(layers);
}

lesson::HeatMap heat_map(const Tensor& weights) {
  return {lesson::Matrix(words, words, weights.to_vector()), sentence(), sentence(),
          "Each row is a word that looks, each column one that is looked at"};
}

}  // namespace attend::chapter05
