#pragma once
#include "tutorials/lesson/translation/learning.hpp"
#include "tutorials/lesson/translation/scores.hpp"

/// How well a model translates names it has learned, and names it has never seen.

namespace attend::translation {

struct Judged {
  Scores training, held_out;
};

/// What the model writes for the examples, as texts.
template <class Model>
std::vector<std::string> translations(const Task& task, const Model& model, const std::vector<Example>& examples) {
  std::vector<std::string> texts;
  for (const Tokens& tokens : ask(task, model, examples, longest_target(task)).texts) {
    texts.push_back(join_words(tokens));
  }
  return texts;
}

/// `task` is name_task(names).
template <class Model>
Judged judge(const Task& task, const Model& model, const Split& names) {
  return {score(translations(task, model, task.training), names.training),
          score(translations(task, model, task.held_out), names.held_out)};
}

}  // namespace attend::translation
