#include "tutorials/comparison/tasks.hpp"

namespace attend::comparison {

std::vector<Trial> trials() {
  return {{lesson::reversal_task(), {64, 4, 2}, {400, 32, 3e-3, 512}},
          {lesson::recall_task(), {64, 1, 2}, {600, 32, 3e-3, 512}}};
}

double learn(const Variant& variant, const Trial& trial, std::uint64_t seed) {
  Rng rng(seed);
  const Size T = trial.task.length, head_width = trial.model.size / trial.model.heads;
  lesson::CoreTransformer model(
      trial.task, [&](Rng& own) { return variant.make(T, head_width, own); }, rng, trial.model);
  return lesson::train_and_test(model, trial.task, seed, trial.plan).accuracy;
}

std::string figure_name(const Variant& variant, const Trial& trial) { return trial.task.name + ", " + variant.name; }

}  // namespace attend::comparison
