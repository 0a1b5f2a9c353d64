#pragma once
#include <functional>
#include <vector>

#include "tutorials/lesson/translation/batch.hpp"
#include "tutorials/lesson/translation/names.hpp"

/// What is to be translated, in the form that every model learns from.

namespace attend::translation {

/// A text and its translation, in tokens.
struct Example {
  Tokens source, target;
};

struct Task {
  Vocabulary source, target;
  std::function<std::vector<Example>(Size count, Rng& rng)> draw;  // examples to train on
  std::vector<Example> training;                                   // all of them, where they can be counted
  std::vector<Example> held_out;
};

/// Draws from the given examples, each with the same probability.
std::function<std::vector<Example>(Size count, Rng& rng)> draw_from(std::vector<Example> examples);

/// Names, word by word. The vocabularies are made of the training words alone.
Task name_task(const Split& names);

/// The sources, and the targets between begin and end, as the model reads them.
struct Pairs {
  Tensor source;              // int64 [B, Tx]
  std::vector<Size> lengths;  // of the B sources
  Tensor given, wanted;       // int64 [B, Ty]: the target without its end, and without its beginning
};
Pairs as_pairs(const Task& task, const std::vector<Example>& examples);

}  // namespace attend::translation
