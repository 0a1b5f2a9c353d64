#include "tutorials/16_conditional_and_learned/gate_lesson.hpp"

#include "nn/attention/gated.hpp"
#include "tutorials/16_conditional_and_learned/marked.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter16 {

using namespace lesson;

namespace {

double error_with(bool gated, const HeapTask& task, const ReaderPlan& plan, std::uint64_t seed) {
  Rng rng(seed);
  Rng test_draws = rng.split();
  const AttentionCore plain = SoftmaxAttention();
  const AttentionCore core = gated ? AttentionCore(GatedAttention(plain, reader_width, 1, rng)) : plain;
  const Reader reader = train_reader(core, task, plan, rng);
  return error_of(reader, draw_heap(task, 64, plan.positions, test_draws));
}

}  // namespace

NamedFigures gate_section(const Options& options, std::uint64_t seed, Claims& claims) {
  heading("A gate behind attention");
  say("Three of 16 keys are marked, with values between 1 and 2. An average of values is never below 1 nor above 2; a "
      "gate between 0 and 1 takes it down, but not up. Error: root of the mean square.\n");
  HeapTask mean, silent, sum;
  silent.silent = 0.5;
  sum.wanted = Wanted::sum;
  ReaderPlan plan;
  if (options.quick()) plan.steps = 50;
  NamedFigures figures;
  Table table({"wanted", "softmax", "with a gate"});
  const std::vector<std::pair<std::string, HeapTask>> tasks = {
      {"the mean, but 0 where half of the queries say so", silent}, {"the mean", mean}, {"the sum", sum}};
  for (const auto& [wanted, task] : tasks) {
    const double plain = error_with(false, task, plan, seed), gated = error_with(true, task, plan, seed);
    table.row({wanted, significant(plain, 2), significant(gated, 2)});
    figures.push_back({wanted + ": softmax, error", plain, 0.05, false});
    figures.push_back({wanted + ": with a gate, error", gated, 0.05, false});
  }
  table.print();
  // The best that can be with averages: 1 where 0 is wanted, on half of the queries.
  claims.at_least("0 is wanted: error of softmax", figures[0].value, 0.7);
  if (options.quick()) return figures;
  claims.at_most("0 is wanted: error with a gate", figures[1].value, 0.1);
  claims.at_least("the sum is wanted: error with a gate", figures[5].value, 1);
  return figures;
}

}  // namespace attend::chapter16
