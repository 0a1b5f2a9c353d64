#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tutorials/06_many_heads/interval.hpp"
#include "tutorials/06_many_heads/validation.hpp"
#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/results.hpp"

/// Do more heads help? All models on the same folds, and how far their differences can be trusted.

namespace attend::chapter06 {

struct ComparisonPlan {
  std::vector<Size> heads = {0, 1, 2, 4, 8};  // 0: no attention; 1 must be among them
  ClassifierOptions model;
  TrainingOptions training;
  Size shown = 4;  // the model of the first fold with this number of heads is kept, to be looked at
};

/// A model, and what share of each fold's test sentences it got right.
struct Contestant {
  std::string name;
  std::vector<double> right;
  double epochs;  // mean over the folds; 0 for logistic regression
};

struct Comparison {
  std::vector<Contestant> contestants;  // the first is logistic regression on words
  std::optional<Trained> shown;
  Fold shown_fold;
};

constexpr Size fold_count = 5;
/// Test sentences per training sentence, of which the corrected interval makes use.
constexpr double fold_overlap = 1.0 / (fold_count - 1);

std::string name_of(Size heads);

/// Five-fold cross-validation of every model. The folds, the order of the sentences and the first vectors of the words
/// are the same for all models of one seed, so that their differences are paired.
Comparison compare(const Sentences& sentences, const ComparisonPlan& plan, std::uint64_t seed);

const Contestant& contestant(const Comparison& comparison, const std::string& name);

/// The table: each model's share, its difference to one head, and the two intervals, in points (1 point = 1 % of the
/// sentences). Folds of several comparisons are taken together.
void print_differences(const std::vector<Comparison>& comparisons);

/// The interval of a model's differences to one head, over all folds of all comparisons, in points.
Interval difference_to_one_head(const std::vector<Comparison>& comparisons, const std::string& name, double overlap);

/// The figures that --full measures and a default run looks up: name and value.
std::vector<std::pair<std::string, double>> figures_of(const Comparison& comparison);

}  // namespace attend::chapter06
