#include "tutorials/12_sparse/learning_lesson.hpp"

#include "tutorials/12_sparse/learning.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter12 {

using namespace lesson;

namespace {

// What one contender made of one task.
struct Row {
  std::string name;
  double reachable, right;
};

std::vector<Row> measured(const Trial& trial, std::uint64_t seed) {
  const std::vector<Contender> all = contenders();
  std::vector<Row> rows;
  for (const std::string& name : trial.names) {
    const Contender& one = contender(all, name);
    rows.push_back({name, within_reach(one, trial, seed), learn(one, trial, seed)});
  }
  return rows;
}

double right_of(const std::vector<Row>& rows, const std::string& name) {
  for (const Row& row : rows) {
    if (row.name == name) return row.right;
  }
  throw std::invalid_argument("chapter 12: no row '" + name + "'");
}

void table_of(const std::vector<Row>& rows) {
  Table table({"attention", "within reach", "at best", "right"});
  for (const Row& row : rows) {
    table.row({row.name, percent(row.reachable), percent(bound(row.reachable)), percent(row.right)});
  }
  table.print();
}

void claim_bounds(const std::string& task, const std::vector<Row>& rows, Claims& claims) {
  double above = -1;
  for (const Row& row : rows) above = std::max(above, row.right - bound(row.reachable));
  claims.at_most(task + ": the most that any is better than its reach allows, in points", 100 * above, 1.5);
}

void claim_copy(const std::vector<Row>& rows, Claims& claims) {
  claims.at_least("copy: softmax", right_of(rows, "softmax"), 0.98);
  claims.at_least("copy: local window", right_of(rows, "local window"), 0.98);
  claims.at_most("copy: dilated window, which never sees an odd distance", right_of(rows, "dilated window"), 0.15);
}

void claim_reversal(const std::vector<Row>& rows, Claims& claims) {
  claims.at_least("reversal: softmax", right_of(rows, "softmax"), 0.99);
  claims.below("reversal: local window", right_of(rows, "local window"), 0.4);
  claims.at_most("reversal: dilated window", right_of(rows, "dilated window"), 0.15);
  claims.at_least("reversal: BigBird, less BigBird without random blocks",
                  right_of(rows, "BigBird") - right_of(rows, "BigBird without random"), 0.1);
}

}  // namespace

NamedFigures learning_section(const Options& options, std::uint64_t seed, Claims& claims) {
  heading("What is learned");
  say(
      fill("A transformer of {} layers, width 64, 4 heads, over {} of {} symbols. Copy: each position answers with the "
           "symbol 3 positions before it. Reversal: with the one that stands as far from the end as it does from the "
           "beginning. Within reach: the answers that two layers can carry there, by the gradient; at best: those, and "
           "of the others one in ten, guessed.",
           {count(layers), count(length), count(symbols)}));
  NamedFigures figures;
  for (Trial trial : trials()) {
    if (options.quick()) {
      trial.plan.steps = 100;
      trial.names = {"local window", "dilated window"};
    }
    say(fill("\n{}, {} steps:\n", {trial.task.name, count(trial.plan.steps)}));
    const std::vector<Row> rows = measured(trial, seed);
    table_of(rows);
    claim_bounds(trial.task.name, rows, claims);
    if (!options.quick()) (trial.task.name == "copy" ? claim_copy : claim_reversal)(rows, claims);
    for (const Row& row : rows) figures.push_back({trial.task.name + ", " + row.name, row.right});
  }
  return figures;
}

}  // namespace attend::chapter12
