#include "tutorials/06_many_heads/comparison.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "tutorials/06_many_heads/bag_of_words.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter06 {
namespace {

const std::string logistic_regression = "logistic regression";

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// One model on all folds.
Contestant validated(const std::vector<Fold>& folds, const ComparisonPlan& plan, Size heads, std::uint64_t seed,
                     lesson::Progress& progress, Size& step, Comparison& comparison) {
  Contestant result{name_of(heads), {}, 0};
  ClassifierOptions options = plan.model;
  options.heads = heads;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    const Trained model = trained_as_long_as_it_helps(folds[f].training, options, plan.training, 100 * seed + f);
    result.right.push_back(judged(model.model, folds[f].test, model.lexicon).right);
    result.epochs += static_cast<double>(model.epochs) / static_cast<double>(folds.size());
    progress.step(++step, model.validation_loss, result.name);
    if (heads == plan.shown && f == 0) comparison.shown = model;
  }
  return result;
}

// "+0.8", "-1.4", "0.0"
std::string points(double x) {
  const std::string text = lesson::fixed(std::fabs(x), 1);
  return (text == "0.0" ? "" : x > 0 ? "+" : "-") + text;
}
std::string ends(const Interval& interval) { return points(interval.low) + " to " + points(interval.high); }

// The shares of all folds of all comparisons.
std::vector<double> all_folds(const std::vector<Comparison>& comparisons, const std::string& name) {
  std::vector<double> right;
  for (const Comparison& comparison : comparisons) {
    const std::vector<double>& more = contestant(comparison, name).right;
    right.insert(right.end(), more.begin(), more.end());
  }
  return right;
}

}  // namespace

std::string name_of(Size heads) {
  if (heads == 0) return "no attention";
  return std::to_string(heads) + (heads == 1 ? " head" : " heads");
}

Comparison compare(const Sentences& sentences, const ComparisonPlan& plan, std::uint64_t seed) {
  Rng rng(seed);
  const std::vector<Fold> folds = folds_of(sentences, fold_count, rng);
  Comparison comparison;
  comparison.shown_fold = folds[0];
  Contestant bag{logistic_regression, {}, 0};
  for (const Fold& fold : folds) bag.right.push_back(bag_of_words_right(fold.training, fold.test));
  comparison.contestants.push_back(bag);

  lesson::Progress progress("cross-validation", lesson::size_of(plan.heads) * fold_count);
  Size step = 0;
  for (const Size heads : plan.heads) {
    comparison.contestants.push_back(validated(folds, plan, heads, seed, progress, step, comparison));
  }
  progress.done();
  return comparison;
}

const Contestant& contestant(const Comparison& comparison, const std::string& name) {
  for (const Contestant& candidate : comparison.contestants) {
    if (candidate.name == name) return candidate;
  }
  throw std::invalid_argument("contestant: there is no '" + name + "'");
}

Interval difference_to_one_head(const std::vector<Comparison>& comparisons, const std::string& name, double overlap) {
  std::vector<double> differences =
      paired_differences(all_folds(comparisons, name), all_folds(comparisons, name_of(1)));
  for (double& difference : differences) difference *= 100;
  return interval_of(differences, overlap);
}

void print_differences(const std::vector<Comparison>& comparisons) {
  lesson::Table table({"model", "right", "to 1 head", "95 % interval", "corrected", "epochs"});
  for (const Contestant& one : comparisons.at(0).contestants) {
    double epochs = 0;
    for (const Comparison& comparison : comparisons) {
      epochs += contestant(comparison, one.name).epochs / static_cast<double>(comparisons.size());
    }
    const std::string right = lesson::percent(mean_of(all_folds(comparisons, one.name)));
    const std::string lasted = epochs > 0 ? lesson::fixed(epochs, 1) : "-";
    if (one.name == name_of(1)) {
      table.row({one.name, right, "-", "-", "-", lasted});
      continue;
    }
    const Interval plain = difference_to_one_head(comparisons, one.name, 0);
    const Interval corrected = difference_to_one_head(comparisons, one.name, fold_overlap);
    table.row({one.name, right, points(plain.mean), ends(plain), ends(corrected), lasted});
  }
  table.print();
}

std::vector<std::pair<std::string, double>> figures_of(const Comparison& comparison) {
  std::vector<std::pair<std::string, double>> figures;
  for (const Contestant& one : comparison.contestants) figures.push_back({"right, " + one.name, mean_of(one.right)});
  for (const Contestant& one : comparison.contestants) {
    if (one.name == name_of(1)) continue;
    figures.push_back({one.name + " less 1 head, points", difference_to_one_head({comparison}, one.name, 0).mean});
  }
  return figures;
}

}  // namespace attend::chapter06
