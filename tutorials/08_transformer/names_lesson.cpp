#include "tutorials/08_transformer/names_lesson.hpp"

#include <algorithm>
#include <cmath>

#include "nn/schedule.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/08_transformer/transformer.hpp"
#include "tutorials/lesson/lesson.hpp"
#include "tutorials/lesson/translation/judging.hpp"
#include "tutorials/lesson/translation/recurrent_translator.hpp"

namespace attend::chapter08 {

using namespace lesson;
using namespace translation;

namespace {

constexpr double held_out_share = 0.1, memorised = 0.95;
constexpr double rate = 2e-3, recurrent_rate = 3e-3;  // the second is that of chapter 03
constexpr Size steps_in_all = 600, warm = 50;

std::string results_path() { return std::string(ATTEND_CHAPTER_DIR) + "/results_names.tsv"; }

// The translator of chapter 03, in the size it has there.
TranslatorSize recurrent_size(const Task& task) { return {task.source.size(), task.target.size(), 64, 128}; }

TransformerSize with_hidden(const Task& task, Size hidden) {
  return {task.source.size(), task.target.size(), 2, 2, {96, 4, hidden, 0.1, NormPlace::before}};
}

// A transformer with as many parameters as it can have without having more: the width of the feed-forward parts is
// what is left to choose.
TransformerSize transformer_size(const Task& task) {
  Rng rng(1);
  const auto parameters_with = [&](Size hidden) {
    return parameter_count(Transformer(with_hidden(task, hidden), rng));
  };
  const Size wanted = parameter_count(RecurrentTranslator(recurrent_size(task), Bridge::attention, rng));
  const Size least = parameters_with(1), each = parameters_with(2) - least;
  return with_hidden(task, std::max<Size>(1, 1 + (wanted - least) / each));
}

// Trains for all steps; the last loss, in the first.
template <class Model, class Rate>
double train(const std::string& name, Learner<Model>& learner, Size steps, const Rate& rate_at) {
  Progress progress(name, steps);
  double first = 0, last = 0;
  for (Size i = 1; i <= steps; ++i) {
    learner.set_rate(rate_at(i));
    last = learner.step();
    if (i == 1) first = last;
    progress.step(i, last);
  }
  progress.done();
  return last / first;
}

struct Figures {
  Judged transformer, recurrent;
  Scores copied, nearest;
  double loss;  // of the transformer, in its first
};

void add_row(Table& table, const std::string& name, const std::string& training, const Scores& held_out) {
  table.row({name, training, percent(held_out.exact_match), fixed(held_out.character_f, 3)});
}

void show(const Figures& figures) {
  Table table({"", "training exact", "held-out exact", "held-out character F"});
  add_row(table, "transformer", percent(figures.transformer.training.exact_match), figures.transformer.held_out);
  add_row(table, "RNN with attention", percent(figures.recurrent.training.exact_match), figures.recurrent.held_out);
  add_row(table, "copying the source", "-", figures.copied);
  add_row(table, "nearest training name", "-", figures.nearest);
  table.print();
}

void show_answers(const Task& task, const Transformer& model, const Split& names) {
  heading("Some names it has never seen");
  const Size shown = std::min<Size>(8, static_cast<Size>(task.held_out.size()));
  const std::vector<std::string> texts =
      translations(task, model, std::vector<Example>(task.held_out.begin(), task.held_out.begin() + shown));
  Table table({"source", "written", "right"});
  for (std::size_t i = 0; i < texts.size(); ++i) {
    table.row({names.held_out[i].source, texts[i], names.held_out[i].target});
  }
  table.print();
}

Figures measure(const Options& options, const std::vector<Pair>& pairs, std::uint64_t seed) {
  Rng rng(seed);
  const Split names = split_pairs(pairs, held_out_share, rng);
  const Task task = name_task(names);
  const Size steps = options.quick() ? 20 : steps_in_all;

  const TransformerSize size = transformer_size(task);
  Learner<Transformer> transformer(
      task, [&](Rng& r) { return Transformer(size, r); }, seed, rate);
  RecurrentLearner recurrent = learner_of(task, recurrent_size(task), Bridge::attention, seed, recurrent_rate);
  say(fill("Parameters: {} of the transformer, {} of the RNN.",
           {count(parameter_count(transformer.model())), count(parameter_count(recurrent.model()))}));

  Figures figures{};
  figures.loss =
      train("transformer", transformer, steps, [&](Size i) { return warm_up(i, warm) * cosine_rate(i, rate, steps); });
  train("RNN with attention", recurrent, steps, [&](Size i) { return cosine_rate(i, recurrent_rate, steps); });
  figures.transformer = judge(task, transformer.model(), names);
  figures.recurrent = judge(task, recurrent.model(), names);
  figures.copied = score(copy_sources(names.held_out), names.held_out);
  figures.nearest = score(nearest_training_targets(names.held_out, names.training), names.held_out);
  show(figures);
  if (!options.quick() && !options.full()) show_answers(task, transformer.model(), names);
  return figures;
}

// The figures of the page's table, under the names they have in results_names.tsv.
std::vector<std::pair<std::string, double>> named(const Figures& figures) {
  return {{"training exact, transformer", figures.transformer.training.exact_match},
          {"training exact, RNN", figures.recurrent.training.exact_match},
          {"held-out exact, transformer", figures.transformer.held_out.exact_match},
          {"held-out exact, RNN", figures.recurrent.held_out.exact_match},
          {"held-out exact, copying", figures.copied.exact_match},
          {"held-out exact, nearest", figures.nearest.exact_match},
          {"held-out F, transformer", figures.transformer.held_out.character_f},
          {"held-out F, RNN", figures.recurrent.held_out.character_f},
          {"held-out F, copying", figures.copied.character_f},
          {"held-out F, nearest", figures.nearest.character_f}};
}

void claim_figures(const Options& options, const Figures& figures, bool own_pairs, Claims& claims) {
  claims.below("the transformer's last loss, in its first", figures.loss, 0.9);
  if (options.quick() || own_pairs) return;
  claims.at_least("training names that the transformer has memorised", figures.transformer.training.exact_match,
                  memorised);
}

// A plain run must lie in the ranges that the page states, which come from --full.
void claim_ranges(const Figures& figures, Claims& claims) {
  constexpr double slack = 0.03;
  const Results stated = Results::read(results_path());
  for (const auto& [name, value] : named(figures)) claims.share_as_stated(value, stated.at(name), slack);
}

}  // namespace

int names_lesson(const Options& options, const std::string& pairs_file) {
  const bool own_pairs = !pairs_file.empty();
  const std::vector<Pair> pairs = pairs_of(pairs_file);
  if (options.full() && !own_pairs) check_writable(results_path());
  title("08", "A transformer that translates names");
  say(options.break_notice());
  say(
      fill("{} pairs, a tenth of them held out, word by word: the task of chapter 03, with its model beside a "
           "transformer of the same size.",
           {count(static_cast<Size>(pairs.size()))}));
  Claims claims;
  Results results;
  for (const std::uint64_t seed : options.seeds(3)) {
    const Figures figures = measure(options, pairs, seed);
    claim_figures(options, figures, own_pairs, claims);
    if (options.effort() == Effort::normal && !own_pairs && options.broken().empty()) claim_ranges(figures, claims);
    for (const auto& [name, value] : named(figures)) results.add(name, seed, value);
  }
  if (options.full() && !own_pairs) results.write(results_path());
  return claims.conclude();
}

}  // namespace attend::chapter08
