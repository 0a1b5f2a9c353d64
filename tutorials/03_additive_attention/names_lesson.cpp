#include "tutorials/03_additive_attention/names_lesson.hpp"

#include <algorithm>

#include "nn/schedule.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/03_additive_attention/breaks.hpp"
#include "tutorials/lesson/lesson.hpp"
#include "tutorials/lesson/translation/judging.hpp"
#include "tutorials/lesson/translation/recurrent_translator.hpp"

namespace attend::chapter03 {

using namespace translation;

namespace {

using namespace lesson;

constexpr double held_out_share = 0.1, rate = 3e-3, memorised = 0.95;
constexpr Size steps_in_all = 600;

std::string results_path() { return std::string(ATTEND_CHAPTER_DIR) + "/results_names.tsv"; }

TranslatorSize size_with(const Task& task) { return {task.source.size(), task.target.size(), 64, 128}; }
TranslatorSize size_without(const Task& task) { return {task.source.size(), task.target.size(), 64, 139}; }

struct Trained {
  RecurrentTranslator model;
  double first_loss, last_loss;
};

Trained train(const std::string& name, const Task& task, const TranslatorSize& size, Bridge bridge, std::uint64_t seed,
              Size steps) {
  RecurrentLearner learner = learner_of(task, size, bridge, seed, rate);
  Progress progress(name, steps);
  double first = 0, last = 0;
  for (Size i = 1; i <= steps; ++i) {
    learner.set_rate(cosine_rate(i, rate, steps));
    last = learner.step();
    if (i == 1) first = last;
    progress.step(i, last);
  }
  progress.done();
  return {learner.model(), first, last};
}

void add_row(Table& table, const std::string& name, const std::string& training, const Scores& held_out) {
  table.row({name, training, percent(held_out.exact_match), fixed(held_out.character_f, 3)});
}

void show_answers(const Task& task, const RecurrentTranslator& model, const Split& names) {
  heading("Some names it has never seen");
  const std::vector<Example> some(
      task.held_out.begin(),
      task.held_out.begin() + std::min<std::ptrdiff_t>(8, static_cast<std::ptrdiff_t>(task.held_out.size())));
  const std::vector<std::string> texts = translations(task, model, some);
  Table table({"source", "written", "right"});
  for (std::size_t i = 0; i < some.size(); ++i)
    table.row({names.held_out[i].source, texts[i], names.held_out[i].target});
  table.print();

  heading("Where it looked");
  const Answers answers = ask(task, model, {task.held_out[0]}, longest_target(task));
  if (answers.texts[0].empty() || !answers.weights.defined()) return;
  const Size rows = static_cast<Size>(answers.texts[0].size()),
             columns = static_cast<Size>(task.held_out[0].source.size());
  const Tensor weights = contiguous(
      slice(slice(reshape(answers.weights, {answers.weights.shape()[1], columns}), 0, 0, rows), 1, 0, columns));
  draw(HeatMap{Matrix(rows, columns, weights.to_vector()), answers.texts[0], task.held_out[0].source,
               names.held_out[0].source});
}

Split split_for(const std::vector<Pair>& pairs, std::uint64_t seed) {
  Rng rng(seed);
  return split_pairs(pairs, held_out_share, rng);
}

void one_seed(const Options& options, const std::vector<Pair>& pairs, std::uint64_t seed, bool own_pairs,
              Claims& claims, Results& results) {
  const Split names = split_for(pairs, seed);
  const Task task = name_task(names);
  const Size steps = options.quick() ? 20 : steps_in_all;
  const Bridge bridge = bridge_of(options);
  const Trained with = train("with attention", task, size_with(task), bridge, seed, steps);
  const Trained without = train("without attention", task, size_without(task), Bridge::summary, seed, steps);
  const Judged attentive = judge(task, with.model, names), plain = judge(task, without.model, names);
  const Scores copied = score(copy_sources(names.held_out), names.held_out);
  const Scores nearest = score(nearest_training_targets(names.held_out, names.training), names.held_out);

  Table table({"", "training exact", "held-out exact", "held-out character F"});
  add_row(table, "with attention", percent(attentive.training.exact_match), attentive.held_out);
  add_row(table, "without", percent(plain.training.exact_match), plain.held_out);
  add_row(table, "copying the source", "-", copied);
  add_row(table, "nearest training name", "-", nearest);
  table.print();
  if (!options.quick() && !options.full()) show_answers(task, with.model, names);
  claims.below("last loss, in the first", with.last_loss / with.first_loss, 0.9);
  if (!options.quick() && !own_pairs) {
    claims.at_least("training names that attention has memorised", attentive.training.exact_match, memorised);
  }
  results.add("training exact with attention", seed, attentive.training.exact_match);
  results.add("training exact without attention", seed, plain.training.exact_match);
  results.add("held-out exact with attention", seed, attentive.held_out.exact_match);
  results.add("held-out exact without attention", seed, plain.held_out.exact_match);
  results.add("held-out exact, copying", seed, copied.exact_match);
  results.add("held-out exact, nearest", seed, nearest.exact_match);
  results.add("held-out F with attention", seed, attentive.held_out.character_f);
  results.add("held-out F without attention", seed, plain.held_out.character_f);
  results.add("held-out F, copying", seed, copied.character_f);
  results.add("held-out F, nearest", seed, nearest.character_f);
}

}  // namespace

int names_lesson(const Options& options, const std::string& pairs_file) {
  const bool own_pairs = !pairs_file.empty();
  const std::vector<Pair> pairs = pairs_of(pairs_file);
  if (options.full() && !own_pairs) check_writable(results_path());
  title("03", "Additive attention, word by word");
  say(options.break_notice());
  say(
      fill("{} pairs, a tenth of them held out. A word that no training pair has cannot be written: what follows is "
           "memory first, and generalisation only as far as words recur.",
           {count(static_cast<Size>(pairs.size()))}));
  Claims claims;
  Results results;
  for (const std::uint64_t seed : options.seeds(3)) {
    one_seed(options, pairs, seed, own_pairs, claims, results);
  }
  if (options.full() && !own_pairs) results.write(results_path());
  return claims.conclude();
}

}  // namespace attend::chapter03
