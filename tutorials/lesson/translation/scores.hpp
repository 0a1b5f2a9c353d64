#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tensor/shape.hpp"
#include "tutorials/lesson/data.hpp"

/// How good translations are, and what two programs without any learning would reach.

namespace attend::translation {

using lesson::Pair;

/// The character F-score of Popović 2015 (chrF, aclanthology.org/W15-3049):
///
///   P = mean over n = 1 .. 6 of the share of the output's character n-grams that the reference has, too
///   R = mean over n = 1 .. 6 of the share of the reference's character n-grams that the output has, too
///   F = (1 + β²) P R / (β² P + R)     with β = 2: recall counts twice as much as precision
///
/// An n-gram that occurs k times in one text matches at most k of the other. Spaces are left out before counting.
/// From 0 to 1, and 1 for equal texts.
///
/// Choices and deviations: β = 2 is what sacreBLEU takes unless told otherwise; the paper leaves β open. A length n
/// of which one of the texts has no n-gram does not enter the means, as in sacreBLEU: names are short. Two texts
/// without any character are equal, so theirs is 1. Throws std::invalid_argument for invalid UTF-8.
double character_f(std::string_view output, std::string_view reference);

/// Means over the pairs, each from 0 to 1. (A corpus score would add up the counts of all pairs first; a mean over the
/// pairs gives a short name the same weight as a long one.)
struct Scores {
  double exact_match;  // the share of outputs that are the reference, byte by byte
  double character_f;
};

/// Throws std::invalid_argument when there are none, or not as many outputs as pairs.
Scores score(const std::vector<std::string>& outputs, const std::vector<Pair>& pairs);

/// The first baseline: leaves the source as it is.
std::vector<std::string> copy_sources(const std::vector<Pair>& pairs);

/// The second: answers with the target of the training pair whose source has the highest character F-score against the
/// source asked for; of equals the first. Throws std::invalid_argument when there is no training pair.
std::vector<std::string> nearest_training_targets(const std::vector<Pair>& pairs, const std::vector<Pair>& training);

}  // namespace attend::translation
