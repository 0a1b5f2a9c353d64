#include "tutorials/08_transformer/halves_lesson.hpp"

#include "autograd/kept.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/lesson/lesson.hpp"
#include "tutorials/lesson/stopwatch.hpp"

namespace attend::chapter08 {

using namespace lesson;
using namespace translation;

namespace {

std::string results_path() { return std::string(ATTEND_CHAPTER_DIR) + "/results_halves.tsv"; }

// Of one seed, float32 first.
std::vector<Half> train_all(std::uint64_t seed) {
  std::vector<Half> all;
  for (const DType activations : {DType::float32, DType::float16, DType::bfloat16}) {
    all.push_back(train_in(activations, seed));
  }
  return all;
}

double share_kept(const Half& half, const Half& single) {
  return static_cast<double>(half.kept) / static_cast<double>(single.kept);
}

void show(const std::vector<Half>& all) {
  Table table({"activations", "remembered bytes", "of float32", "exact, unseen", "last losses", "skipped", "time"});
  for (const Half& half : all) {
    table.row({text(half.activations), count(half.kept), fixed(share_kept(half, all[0]), 3), percent(half.exact, 2),
               significant(half.loss, 2), count(half.skipped), duration(half.seconds)});
  }
  table.print();
}

Var loss_of_batch(const Task& task, const Transformer& model, DType activations, std::uint64_t seed) {
  Rng rng(seed);
  const Pairs pairs = as_pairs(task, task.draw(LearningOptions().batch, rng));
  const Autocast scope(activations);
  return loss_on(pairs, model, rng);
}

// What a step keeps, op by op: the norms (standardize, mul) and the loss remain in float32.
void show_ops(std::uint64_t seed) {
  const Task task = number_task(split_for(seed));
  const Learner<Transformer> learner = learner_of(task, Flaw::none, seed);
  const std::vector<Kept> in_half = kept_by_op(loss_of_batch(task, learner.model(), DType::float16, seed));
  Table table({"bytes that a step keeps for", "float32", "float16"});
  for (const Kept& kept : kept_by_op(loss_of_batch(task, learner.model(), DType::float32, seed))) {
    if (kept.bytes > 0) table.row({kept.op, count(kept.bytes), count(kept_bytes(in_half, kept.op))});
  }
  table.print();
}

// The figures of the page, under the names they have in the file of the results.
std::vector<std::pair<std::string, double>> named(const std::vector<Half>& all) {
  std::vector<std::pair<std::string, double>> figures;
  for (const Half& half : all) {
    const std::string name = text(half.activations);
    figures.emplace_back("held-out numbers exact, " + name, half.exact);
    if (half.activations == DType::float32) continue;
    figures.emplace_back("remembered by " + name + ", in that of float32", share_kept(half, all[0]));
  }
  return figures;
}

void claim_figures(const std::vector<Half>& all, Claims& claims) {
  for (const Half& half : all) {
    const std::string name = text(half.activations);
    claims.at_least(name + ": exact on unseen numbers", half.exact, 0.99);
    if (half.activations == DType::float32) continue;
    claims.between(name + ": what a step remembers, in that of float32", share_kept(half, all[0]), 0.5, 0.75);
    claims.between(name + ": points ahead of float32", 100 * (half.exact - all[0].exact), -0.3, 0.3);
  }
}

// A few steps of each: they remember as much as those of a whole training.
int quick(const Options& options) {
  const Task task = number_task(split_for(options.seed()));
  Claims claims;
  Size single = 0;
  for (const DType activations : {DType::float32, DType::float16, DType::bfloat16}) {
    Learner<Transformer> learner = learner_of(task, Flaw::none, options.seed(), activations);
    constexpr Size steps = 40;
    double first = 0, last = 0;
    for (Size i = 1; i <= steps; ++i) {
      learner.set_rate(rate_at(i));
      last = learner.step();
      if (i == 1) first = last;
    }
    const std::string name = text(activations);
    claims.below(fill("{}: loss after {} steps, in the first", {name, count(steps)}), last / first, 0.5);
    const Size kept = kept_by_step(task, learner.model(), activations, options.seed());
    if (activations == DType::float32) single = kept;
    claims.at_most(name + ": what a step remembers, in that of float32",
                   static_cast<double>(kept) / static_cast<double>(single), activations == DType::float32 ? 1.0 : 0.75);
  }
  return claims.conclude();
}

}  // namespace

Size kept_by_step(const Task& task, const Transformer& model, DType activations, std::uint64_t seed) {
  return kept_bytes(loss_of_batch(task, model, activations, seed));
}

Half train_in(DType activations, std::uint64_t seed) {
  const NumberSplit split = split_for(seed);
  const Task task = number_task(split);
  Learner<Transformer> learner = learner_of(task, Flaw::none, seed, activations);
  const ProcessorStopwatch watch;
  const double loss = train(task, split, learner, text(activations));
  const double seconds = watch.seconds();
  const Transformer& model = learner.model();
  return {activations,
          kept_by_step(task, model, activations, seed),
          exact_match(ask(task, model, task.held_out, longest_target(task)), task.held_out),
          loss,
          learner.skipped(),
          seconds};
}

int halves_lesson(const Options& options) {
  title("08", "A transformer whose activations have 16 bits");
  say("The numbers once more, three times from the same first weights on the same batches: with activations in "
      "float32, in float16 and in bfloat16. The parameters are float32 in all three, and the losses of float16 are "
      "scaled.");
  if (options.quick()) return quick(options);
  if (options.full()) check_writable(results_path());
  show_ops(options.seed());
  Claims claims;
  Results results;
  for (const std::uint64_t seed : options.seeds(3)) {
    if (options.full()) heading(fill("Seed {}", {count(static_cast<Size>(seed))}));
    const std::vector<Half> all = train_all(seed);
    show(all);
    claim_figures(all, claims);
    for (const auto& [name, value] : named(all)) {
      results.add(name, seed, value);
      if (!options.full()) claims.share_as_stated(value, Results::read(results_path()).at(name), 0.01);
    }
  }
  if (options.full()) results.write(results_path());
  return claims.conclude();
}

}  // namespace attend::chapter08
