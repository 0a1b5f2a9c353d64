#pragma once
#include <optional>
#include <string>
#include <vector>

#include "nn/attention/core.hpp"

/// Three kinds of attention maps, and how near to them something of low rank can come.

namespace attend::chapter13 {

/// Queries and keys [1, heads, T, d], float64; every head has draws of its own.
struct Pairs {
  std::string name;
  Var q, k;
};

/// smooth: each number is a wave along the positions, of about half a period, so that neighbours are alike;
/// random: normal, of variance 1;
/// peaked: a query is three times the key that stands as far from the end as it from the beginning, so that nearly all
/// its weight is there. The keys are normal.
std::vector<Pairs> three_maps(Size heads, Size T, Size d, std::uint64_t seed);

/// ‖found − exact‖ / ‖exact‖ over all heads, of the weights that the core gives and those of softmax attention.
double map_error(const AttentionCore& core, const Pairs& pairs);

/// The same of the best matrices of a rank, by the singular values of the weights: no other of that rank is nearer.
double best_error(const Pairs& pairs, Size rank);

/// The ranks of the scores and of the weights, and how many singular values hold 99 % of the energy of the weights: on
/// average over the heads.
struct Ranks {
  double scores, weights, energy;
};
Ranks ranks(const Pairs& pairs);

/// Nyström attention with so many landmarks and steps of the iteration.
AttentionCore nystrom(Size landmarks, Size steps);
/// The error of Nyström attention with the exact inverse, or nothing: where landmarks are alike there is no inverse.
std::optional<double> exact_nystrom_error(const Pairs& pairs, Size landmarks);

/// Linformer whose E and F take the means of segments, T a multiple of k: what could stand there before any training.
AttentionCore linformer_of_means(Size T, Size k);

/// Linformer as it begins, with E and F drawn.
AttentionCore linformer_drawn(Size T, Size k, std::uint64_t seed);

}  // namespace attend::chapter13
