#include "tutorials/16_conditional_and_learned/routing_lesson.hpp"

#include <algorithm>

#include "tutorials/16_conditional_and_learned/routing.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter16 {

using namespace lesson;

namespace {

// "0 / 100 %": the share of each expert.
std::string shares(const std::vector<double>& use) {
  std::string text;
  for (const double share : use) text += (text.empty() ? "" : " / ") + fixed(100 * share, 0);
  return text + " %";
}

// The part of all choices that the expert with the fewest gets.
double least_used(const Routing& routing) {
  double least = 1;
  for (std::size_t e = 0; e < routing.use[0].size(); ++e) {
    least = std::min(least, (routing.use[0][e] + routing.use[1][e]) / 2);
  }
  return least;
}

// The share of the choices that go to an expert of which their rule is the main one: 1 where no expert has two rules.
double apart(const Routing& routing) {
  double share = 0;
  for (std::size_t e = 0; e < routing.use[0].size(); ++e) {
    share += std::max(routing.use[0][e], routing.use[1][e]) / 2;
  }
  return share;
}

struct Candidate {
  std::string name;
  RoutingPlan plan;
};

std::vector<Candidate> candidates(bool balanced) {
  const double balance = balanced ? RoutingPlan().balance : 0;
  std::vector<Candidate> all = {
      {"1 expert", {}}, {"1 expert, twice as wide", {}}, {"2 experts", {}}, {"4 experts", {}}};
  all[0].plan.experts = all[1].plan.experts = 1;
  all[1].plan.d = 2 * RoutingPlan().d;
  all[3].plan.experts = 4;
  for (Candidate& one : all) one.plan.balance = balance;
  return all;
}

NamedFigures one_rule_section(std::uint64_t seed) {
  say("\nWhere it does not help: one rule, the symbol before, after 50, 70 and 100 steps.\n");
  const SequenceTask task = opposites_task(1);
  NamedFigures figures;
  Table table({"experts", "50", "70", "100"});
  for (const Size experts : {1, 2}) {
    std::vector<std::string> cells = {count(experts)};
    for (const Size steps : {50, 70, 100}) {
      RoutingPlan plan;
      plan.experts = experts;
      plan.steps = steps;
      const double right = look_at(train_routed(task, plan, seed), task, seed + 1000).right;
      cells.push_back(percent(right));
      if (steps == 70) figures.push_back({fill("one rule, 70 steps, experts: {}", {count(experts)}), right, 0.05});
    }
    table.row(cells);
  }
  table.print();
  return figures;
}

}  // namespace

NamedFigures routing_section(const Options& options, std::uint64_t seed, Claims& claims) {
  heading("Whom to ask");
  say(fill(
      "Two rules. A symbol 0 … 9 asks for the symbol before it, 10 … 19 for the opposite of that, 5 further round. "
      "One layer of attention without a feed-forward; a router sends each position to one of the experts, of "
      "width {}, {} steps. Use: how many of its positions each expert gets.\n",
      {count(RoutingPlan().d), count(RoutingPlan().steps)}));
  const SequenceTask task = opposites_task(rules);
  NamedFigures figures;
  std::vector<Routing> found;
  Table table({"", "right", "use, first rule", "use, second rule"});
  for (const Candidate& one : candidates(!options.breaks("no-balance"))) {
    found.push_back(look_at(train_routed(task, one.plan, seed), task, seed + 1000));
    const Routing& routing = found.back();
    table.row({one.name, percent(routing.right), shares(routing.use[0]), shares(routing.use[1])});
    figures.push_back({"two rules, " + one.name, routing.right, 0.05});
  }
  table.print();
  claims.below("1 expert of the same size: right", found[0].right, 0.97);
  claims.at_least("4 experts: right", found[3].right, 0.98);
  claims.at_least("4 experts: choices of which the expert has no other rule", apart(found[3]), 0.95);
  claims.at_least("4 experts: part of the one that gets least", least_used(found[3]), 0.05);
  if (options.quick()) return figures;
  const NamedFigures alone = one_rule_section(seed);
  figures.insert(figures.end(), alone.begin(), alone.end());
  return figures;
}

}  // namespace attend::chapter16
