#pragma once
#include <functional>
#include <vector>

#include "tutorials/03_additive_attention/batch.hpp"
#include "tutorials/03_additive_attention/dates.hpp"
#include "tutorials/03_additive_attention/names.hpp"

/// What is to be translated: the two tasks of this chapter in one form.

namespace attend::chapter03 {

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

/// Dates of 12 locales to ISO form. The examples are drawn without end; `held_out` has those of `dates`, in order.
Task date_task(const DateTask& dates);

/// Names, word by word. The vocabularies are made of the training words alone.
Task name_task(const Split& names);

/// The sources, and the targets between begin and end, as the model reads them.
struct Pairs {
  Tensor source;              // int64 [B, Tx]
  std::vector<Size> lengths;  // of the B sources
  Tensor given, wanted;       // int64 [B, Ty]: the target without its end, and without its beginning
};
Pairs as_pairs(const Task& task, const std::vector<Example>& examples);

}  // namespace attend::chapter03
