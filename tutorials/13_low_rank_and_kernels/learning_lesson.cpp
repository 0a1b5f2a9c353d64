#include "tutorials/13_low_rank_and_kernels/learning_lesson.hpp"

#include <algorithm>

#include "tutorials/13_low_rank_and_kernels/learning.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter13 {

using namespace lesson;

namespace {

void claim_figures(const NamedFigures& figures, Claims& claims) {
  const auto at_least = [&](const std::string& name, double bound) {
    claims.at_least(name, value_named(figures, name), bound);
  };
  at_least("reversal, softmax", 0.99);
  at_least("reversal, linear attention", 0.99);
  at_least("reversal, Performer", 0.99);
  at_least("reversal, Linformer, k = 24", 0.99);
  claims.below("reversal, local window", value_named(figures, "reversal, local window"), 0.4);
  at_least("recall, softmax", 0.98);
  claims.at_most("recall, linear attention", value_named(figures, "recall, linear attention"), 0.5);
}

// --quick: a small trial of the two that train fastest, which asks for little.
void quick_trial(Trial trial, std::uint64_t seed, Claims& claims) {
  trial.task = reversal_task(8, 5);
  say("\nreversal of 8 symbols, of five:\n");
  Table table({"attention", "steps", "right"});
  double worst = 1;
  for (Contender contender : trial.contenders) {
    if (contender.name != "softmax" && contender.name != "linear attention") continue;
    contender.steps = 200;
    const double right = learn(contender, trial, seed);
    worst = std::min(worst, right);
    table.row({contender.name, count(contender.steps), percent(right)});
  }
  table.print();
  claims.at_least("8 symbols, 200 steps: the worse of both, where a guess is 0.2", worst, 0.4);
}

}  // namespace

NamedFigures learning_section(const Options& options, std::uint64_t seed, Claims& claims) {
  heading("What is learned");
  say("A transformer of 2 layers, width 64. Reversal: each of 32 positions answers with the symbol, of ten, that "
      "stands as far from the end as it does from the beginning; 4 heads. Recall: 8 pairs of a key and a value, then "
      "the 8 keys once more, each of which answers with its value, of 32; one head, causal.");
  const std::vector<Trial> all = trials();
  if (options.quick()) {
    quick_trial(all[0], seed, claims);
    return {};
  }
  NamedFigures figures;
  for (const Trial& trial : all) {
    say(fill("\n{}:\n", {trial.task.name}));
    Table table({"attention", "steps", "right"});
    for (const Contender& contender : trial.contenders) {
      figures.push_back({trial.task.name + ", " + contender.name, learn(contender, trial, seed)});
      table.row({contender.name, count(contender.steps), percent(figures.back().value)});
    }
    table.print();
  }
  claim_figures(figures, claims);
  return figures;
}

}  // namespace attend::chapter13
