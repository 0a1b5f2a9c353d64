#pragma once
#include <string>
#include <vector>

#include "nn/attention/self_attention.hpp"
#include "tutorials/lesson/heatmap.hpp"

/// "The cat sat on the mat", with vectors and weights set by hand. Nothing here was learned.

namespace attend::chapter05 {

using Words = std::vector<std::string>;

const Words& sentence();  // The cat sat on the mat
const Words& axes();      // what each of the six numbers of a word's vector means: noun, verb, ...

constexpr Size cat = 1, mat = 5;  // their places

/// A row for each word: 1 on its axes, else 0. [1, 6, 6], float64.
Tensor word_vectors();

/// A layer whose queries, values and output are the vectors themselves, and whose keys have the noun axis `noun` times
/// as large: nouns are what every noun looks for.
SelfAttention noun_layer(double noun);

/// The word that `word` looks at most among the others. `weights` [1, 6, 6].
Size looks_most_at(const Tensor& weights, Size word);

/// In how many of `layers` layers, each with random first weights and random vectors for the five distinct words, cat
/// looks most at mat among the others: a share.
double share_of_random_layers(Size layers, Rng& rng);

lesson::HeatMap heat_map(const Tensor& weights);

}  // namespace attend::chapter05
