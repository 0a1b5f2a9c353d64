#pragma once

#include "tutorials/06_many_heads/validation.hpp"
#include "tutorials/lesson/heatmap.hpp"

/// What the heads of a trained model look at, and whether they differ.

namespace attend::chapter06 {

/// Where each head looks in one sentence: a heat map for each head, its words on both sides.
std::vector<lesson::HeatMap> head_maps(const Classifier& model, const Lexicon& lexicon, const Sentence& sentence);

/// How far two heads of a model are apart: ½ Σ |a − b| over the words that one word looks at, which is 0 where both
/// look at the same and 1 where they have nothing in common; the mean over all pairs of heads and all words that look.
/// Throws std::invalid_argument for a model with fewer than two heads.
double distance_between_heads(const Classifier& model, const Lexicon& lexicon, const Sentences& sentences);

/// To how many words, evenly, a head's weights would come: exp of their entropy, the mean over all words that look.
std::vector<double> words_looked_at(const Classifier& model, const Lexicon& lexicon, const Sentences& sentences);

/// The same for weights that are even over all words: what a head that looks at nothing in particular would have.
double words_looked_at_evenly(const Sentences& sentences);

/// The model with one head silenced: the rows of the output matrix that read it are 0.
Classifier without_head(Classifier model, Size head);

}  // namespace attend::chapter06
