#include "tutorials/lesson/translation/task.hpp"

namespace attend::translation {
namespace {

std::vector<Example> examples_of(const std::vector<Pair>& names) {
  std::vector<Example> examples;
  for (const Pair& name : names) examples.push_back({words_of(name.source), words_of(name.target)});
  return examples;
}

std::vector<Tokens> side_of(const std::vector<Example>& examples, Tokens Example::*side) {
  std::vector<Tokens> texts;
  for (const Example& example : examples) texts.push_back(example.*side);
  return texts;
}

}  // namespace

std::function<std::vector<Example>(Size, Rng&)> draw_from(std::vector<Example> examples) {
  return [examples = std::move(examples)](Size count, Rng& rng) {
    std::vector<Example> drawn;
    for (Size i = 0; i < count; ++i) {
      drawn.push_back(examples[static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(examples.size())))]);
    }
    return drawn;
  };
}

Task name_task(const Split& names) {
  const std::vector<Example> training = examples_of(names.training);
  return {Vocabulary::of(side_of(training, &Example::source)), Vocabulary::of(side_of(training, &Example::target)),
          draw_from(training), training, examples_of(names.held_out)};
}

Pairs as_pairs(const Task& task, const std::vector<Example>& examples) {
  const Batch source = batch_of(task.source, side_of(examples, &Example::source));
  const Batch target = batch_of(task.target, side_of(examples, &Example::target), Enclose::begin_and_end);
  const Size steps = target.ids.shape()[1] - 1;
  const std::vector<std::int64_t> lengths = source.lengths.to_ints();
  return {source.ids, std::vector<Size>(lengths.begin(), lengths.end()), slice(target.ids, 1, 0, steps),
          slice(target.ids, 1, 1, steps)};
}

}  // namespace attend::translation
