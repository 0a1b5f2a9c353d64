#include "tutorials/14_hashing/learning_lesson.hpp"

#include "tutorials/14_hashing/learning.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter14 {

using namespace lesson;

namespace {

constexpr Size other_rounds[] = {1, 2, 4, 8};

// The same models with other numbers of rounds than they were trained with.
NamedFigures with_other_rounds(const Trial& trial, const std::vector<Learned>& learned, std::uint64_t seed) {
  say("\nThe same models, tested with other numbers of rounds, whose rotations are new:\n");
  NamedFigures figures;
  std::vector<std::string> headers = {"trained with"};
  for (const Size rounds : other_rounds) headers.push_back(count(rounds));
  Table table(headers);
  for (std::size_t i = 0; i < learned.size(); ++i) {
    const Contender& one = trial.contenders[i];
    if (one.rounds == 0) continue;
    std::vector<std::string> cells = {one.name};
    for (const Size rounds : other_rounds) {
      const double right = tested_with(learned[i], trial, rounds, seed);
      cells.push_back(percent(right));
      figures.push_back({trial.task.name + ", " + one.name + ", tested with " + count(rounds), right});
    }
    table.row(cells);
  }
  table.print();
  return figures;
}

// Trains all contenders of a trial.
NamedFigures measured(const Trial& trial, std::uint64_t seed) {
  NamedFigures figures;
  std::vector<Learned> learned;
  Table table({"attention", "right"});
  for (const Contender& one : trial.contenders) {
    learned.push_back(learn(one, trial, seed));
    figures.push_back({trial.task.name + ", " + one.name, learned.back().right});
    table.row({one.name, percent(learned.back().right)});
  }
  table.print();
  if (trial.task.name != "reversal") return figures;
  const NamedFigures others = with_other_rounds(trial, learned, seed);
  figures.insert(figures.end(), others.begin(), others.end());
  return figures;
}

void claim_learned(const NamedFigures& figures, Claims& claims) {
  const auto at = [&](const char* name) { return value_named(figures, name); };
  claims.at_least("reversal: softmax", at("reversal, softmax"), 0.99);
  claims.at_least("reversal: shared query-key", at("reversal, shared query-key"), 0.99);
  claims.at_least("reversal: LSH, chunks of 8, 4 rounds", at("reversal, LSH, chunks of 8, 4 rounds"), 0.99);
  claims.at_least("reversal: LSH, chunks of 8, 4 rounds less 1",
                  at("reversal, LSH, chunks of 8, 4 rounds") - at("reversal, LSH, chunks of 8, 1 round"), 0);
  claims.at_least("reversal, trained with 2 rounds: tested with 8, less with 1",
                  at("reversal, LSH, chunks of 4, 2 rounds, tested with 8") -
                      at("reversal, LSH, chunks of 4, 2 rounds, tested with 1"),
                  0.1);
  claims.at_least("sorting: shared query-key, less LSH",
                  at("sorting, shared query-key") - at("sorting, LSH, chunks of 4, 1 round"), 0.2);
  claims.at_least("copy: softmax", at("copy, softmax"), 0.99);
  claims.at_most("copy: shared query-key", at("copy, shared query-key"), 0.5);
}

}  // namespace

NamedFigures learning_section(const Options& options, std::uint64_t seed, Claims& claims) {
  heading("What is learned");
  say(
      fill("A transformer of one layer, width {}, {} heads, over {} of {} symbols. Reversal: each position answers "
           "with the symbol as far from the end as it is "
           "from the beginning. Sorting: all symbols in ascending order. Copy: the symbol 3 positions before.",
           {count(size), count(heads), count(length), count(symbols)}));
  NamedFigures figures;
  for (Trial trial : trials()) {
    if (options.quick()) {
      trial.plan.steps = 20;
      trial.plan.test_sequences = 64;
      trial.contenders = {trial.contenders[1], trial.contenders[2]};
    }
    say(fill("\n{}, {} steps:\n", {trial.task.name, count(trial.plan.steps)}));
    const NamedFigures found = measured(trial, seed);
    figures.insert(figures.end(), found.begin(), found.end());
  }
  say("");
  if (!options.quick()) claim_learned(figures, claims);
  return figures;
}

}  // namespace attend::chapter14
