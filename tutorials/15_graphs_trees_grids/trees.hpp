#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tutorials/15_graphs_trees_grids/expressions.hpp"
#include "tutorials/15_graphs_trees_grids/reader.hpp"

/// What a small transformer learns of sequences with a structure: flat, with the structure given as a mask, and with a
/// prior that it learns.

namespace attend::chapter15 {

/// Who may see whom: all; a position all that stands below it in its tree; or only its children; or, upside down, only
/// its parent; all, times the prior.
enum class TreeView { flat, subtree, children, parent, prior };
std::string name_of(TreeView view);

/// Sequences, their answers, int64 [B, T], −1 where nothing is asked, and the tree of each.
struct TreeBatch {
  Tensor input, answer;
  std::vector<Tree> trees;
};

/// A task, how it is learned, and what is compared on it.
struct TreeTask {
  std::string name;
  Size symbols, layers;
  lesson::TrainingPlan plan;
  std::vector<TreeView> views;
  std::function<TreeBatch(Size batch, Rng& rng)> draw;
};

/// The value of an expression, asked at its first position, where its outermost operator stands.
TreeTask value_task();
/// The same expressions: each position answers with the symbol before it.
TreeTask before_task();
/// 32 positions, phrases of 2 to 7 digits with a stop between them. Each digit answers with the largest of its phrase.
/// Their trees are chains: there is none to be given.
TreeTask phrases_task();
/// The reversal of chapter 12: 32 digits, backwards.
TreeTask reversal_task();
std::vector<TreeTask> tree_tasks();

/// The mask of a view. What stands behind a sequence is padding in all of them.
Mask mask_of(TreeView view, const TreeBatch& batch);

/// A model, trained, and its share of right answers on new sequences.
struct LearnedReader {
  Reader reader;
  double right;
};
LearnedReader learn(TreeView view, const TreeTask& task, std::uint64_t seed);

/// The share of the positions asked for in many sequences of which the most frequent answer is right: a guess.
double most_frequent(const TreeTask& task, std::uint64_t seed);

/// On which positions the first depends after so many layers of attention under a mask: 1 or 0 each, [T], by the
/// zeros of a gradient. The scores are random.
std::vector<double> seen_by_first(const Mask& mask, Size T, Size layers, std::uint64_t seed);

/// The multiplications of constituent attention and its prior, x [1, T, size], and of attention with a prior between
/// heads of width d, as they are counted, and by the formula.
struct CountedCost {
  Size counted, formula;
};
CountedCost cost_of_constituents(Size T, Size size);
CountedCost cost_of_attention_with_prior(Size T, Size d);

}  // namespace attend::chapter15
