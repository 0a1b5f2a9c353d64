#include "tutorials/08_transformer/numbers_lesson.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "tensor/whole_file.hpp"
#include "tutorials/08_transformer/alignment.hpp"
#include "tutorials/08_transformer/decoding_section.hpp"
#include "tutorials/08_transformer/identities.hpp"
#include "tutorials/08_transformer/norms.hpp"
#include "tutorials/08_transformer/number_learning.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter08 {

using namespace lesson;
using namespace translation;

namespace {

std::string results_path() { return std::string(ATTEND_CHAPTER_DIR) + "/results.tsv"; }

Flaw flaw_of(const Options& options) {
  if (options.breaks("no-causal-mask")) return Flaw::no_causal_mask;
  if (options.breaks("no-positions")) return Flaw::no_positions;
  if (options.breaks("visible-padding")) return Flaw::visible_padding;
  if (options.breaks("cache-from-zero")) return Flaw::cache_from_zero;
  return Flaw::none;
}

// What is reported, all of held-out numbers.
struct Figures {
  double exact;
  std::size_t head;               // the one that agrees best on the training numbers
  std::vector<Agreements> heads;  // of each, and of their mean
  double best() const { return heads[head].all().share(); }
  double mean_of_heads() const { return heads.back().all().share(); }
};

Figures measure(const Task& task, const NumberSplit& split, const Transformer& model) {
  Figures figures{};
  figures.exact = exact_match(ask(task, model, task.held_out, longest_target(task)), task.held_out);
  figures.head = best_head(agreements(looks(task, model, split.training), split.training));
  figures.heads = agreements(looks(task, model, split.held_out), split.held_out);
  return figures;
}

void say_beginning(const Options& options, const Task& task, const Transformer& model) {
  title("08", "A transformer that translates");
  say(options.break_notice());
  say(
      fill("A transformer reads numbers in English words and writes them in German ones. It learns from {} of the "
           "numbers from 1 to 9,999, gets nearly all of the others right, and where its decoder looks is, for nearly "
           "every word, the word that it translates.",
           {count(training_numbers)}));
  const Size S = task.source.size(), T = task.target.size();
  const Size Tx = size_of(number_words(largest_number).english), Ty = longest_target(task);
  shapes({{"English words", {64, Tx}, "batch, words of the longest; " + count(S) + " different tokens"},
          {"embedded, with positions", {64, Tx, 64}, ""},
          {"encoder's states", {64, Tx, 64}, "the memory: keys and values"},
          {"German words, embedded", {64, Ty, 64}, "begin and the text; " + count(T) + " different tokens"},
          {"weights of self-attention", {64, 4, Ty, Ty}, "four heads; nothing ahead"},
          {"weights on the memory", {64, 4, Ty, Tx}, "four heads"},
          {"scores of the next word", {64, Ty, T}, ""}});
  say(fill("Parameters: {}.", {count(parameter_count(model))}));
}

void show_rates() {
  heading("The learning rate");
  say("It rises in a straight line over the first steps (warm-up) and falls to 0 along half a cosine.");
  Table table({"step", "rate"});
  for (const Size step : {1, 50, 100, 200, 300, 400, 500}) {
    table.row({count(step), significant(rate_at(step), 3)});
  }
  table.print();
}

void show_translations(const Task& task, const NumberSplit& split, const Transformer& model) {
  heading("Numbers it has never seen");
  std::vector<Size> some(split.held_out.begin(), split.held_out.begin() + 6);
  const std::vector<Example> examples = examples_of(some);
  const Answers answers = ask(task, model, examples, longest_target(task));
  Table table({"number", "read", "written", ""});
  for (std::size_t i = 0; i < some.size(); ++i) {
    const bool right = answers.texts[i] == examples[i].target;
    table.row(
        {count(some[i]), join_words(examples[i].source), join_words(answers.texts[i]), right ? "right" : "wrong"});
  }
  table.print();
}

// The first held-out number with a digit, not 0 or 1, in every place: all that German does with a number is in it.
Size full_number(const NumberSplit& split) {
  return *std::find_if(split.held_out.begin(), split.held_out.end(),
                       [](Size n) { return n >= 2000 && n / 100 % 10 >= 2 && n / 10 % 10 >= 2 && n % 10 >= 2; });
}

// Where all heads look for one number, [heads, words, Tx], after so many steps.
struct Look {
  Size step;
  Tensor weights;
};

HeatMap map_of_head(const Look& look, std::size_t head, Size number) {
  const NumberWords words = number_words(number);
  const Tensor weights = select(Var(look.weights), 0, static_cast<Size>(head)).value();
  return {Matrix(size_of(words.german), size_of(words.english), weights.to_vector()), words.german, words.english,
          count(number) + ": where head " + count(static_cast<Size>(head)) + " looks"};
}

// The head that agrees best, over the training, the last of the looks also as a picture; for a report the others too.
void show_heat_maps(const std::vector<Look>& looks, Size number, std::size_t head, const Options& options,
                    const std::string& picture) {
  heading("Where it looks");
  say("A row is a German word that is to be written, a column an English one. Of the four heads this is the one that "
      "agrees best with the right alignment on the training numbers.");
  std::vector<Moment> moments;
  for (const Look& look : looks) moments.push_back({look.step, map_of_head(look, head, number)});
  show_over_training("How " + count(number) + " came to be read", moments);
  const HeatMap& last = moments.back().map;
  for (Size row : {0, 4, 6}) say(in_words(last, row));
  if (!picture.empty()) write_svg(last, picture);

  if (!options.reports()) return;
  const Look& trained = looks.back();
  std::vector<HeatMap> heads;
  for (Size h = 0; h < trained.weights.shape()[0]; ++h) {
    heads.push_back(map_of_head(trained, static_cast<std::size_t>(h), number));
  }
  show_heads("All heads, after the training", heads);
}

void show_alignment(const Figures& figures) {
  heading("Does it look at the word that it translates?");
  Table table({"words", "head 0", "head 1", "head 2", "head 3", "mean of heads"});
  const auto row = [&](const std::string& name, const auto& share) {
    std::vector<std::string> cells = {name};
    for (const Agreements& head : figures.heads) cells.push_back(percent(share(head)));
    table.row(cells);
  };
  row("1 to 19", [](const Agreements& a) { return a.small.share(); });
  row("zwanzig to neunzig", [](const Agreements& a) { return a.tens.share(); });
  row("hundert", [](const Agreements& a) { return a.hundred.share(); });
  row("tausend", [](const Agreements& a) { return a.thousand.share(); });
  row("all of these", [](const Agreements& a) { return a.all().share(); });
  const auto part = [](Size some, Size all) { return static_cast<double>(some) / static_cast<double>(all); };
  row("tausend: further on", [&](const Agreements& a) { return part(a.thousand_behind, a.thousand.words); });
  row("und: at the tens", [&](const Agreements& a) { return part(a.und_at_tens, a.und); });
  row("und: at the digit", [&](const Agreements& a) { return part(a.und_at_digit, a.und); });
  table.print();
  say(fill("Head {} is the one that agrees best on the training numbers; the table is of held-out ones.",
           {count(static_cast<Size>(figures.head))}));
}

// The figures of the page's table, under the names they have in results.tsv.
std::vector<std::pair<std::string, double>> named(const Figures& figures) {
  return {{"held-out numbers exact", figures.exact},
          {"agreement with the right alignment, best head", figures.best()},
          {"agreement, mean of the heads", figures.mean_of_heads()}};
}

void claim_figures(const Figures& figures, Claims& claims) {
  claims.at_least("held-out numbers that are exactly right", figures.exact, 0.99);
  claims.at_least("words whose head looks most at the word they translate", figures.best(), 0.9);
}

// A plain run must lie in the ranges that the page states, which come from --full.
void claim_ranges(const Figures& figures, Claims& claims) {
  constexpr double slack = 0.005;
  const Results stated = Results::read(results_path());
  for (const auto& [name, value] : named(figures)) claims.share_as_stated(value, stated.at(name), slack);
}

void norms_section(const Task& task, std::uint64_t seed, Claims& claims) {
  heading("Where the norm stands");
  say("The gradient of the last feed-forward matrix before any training, by the number of layers in each stack:");
  Table gradients({"layers", "norm before", "norm after"});
  std::vector<double> before, after;
  for (const Size layers : {1, 2, 4, 8}) {
    before.push_back(last_layer_gradient(task, NormPlace::before, layers, seed));
    after.push_back(last_layer_gradient(task, NormPlace::after, layers, seed));
    gradients.row({count(layers), significant(before.back(), 3), significant(after.back(), 3)});
  }
  gradients.print();
  claims.at_most("norm before: gradient with 8 layers, in that with 1", before.back() / before.front(), 0.7);
  claims.at_least("norm after: gradient with 8 layers, in that with 1", after.back() / after.front(), 0.8);

  constexpr Size layers = 8, steps = 120;
  say(fill("\nThe loss after {} steps with {} layers in each stack:", {count(steps), count(layers)}));
  Table losses({"", "with warm-up", "without"});
  const auto loss = [&](NormPlace norm, Start start) { return loss_after(task, norm, start, layers, steps, seed); };
  const double before_warm = loss(NormPlace::before, Start::warm), after_warm = loss(NormPlace::after, Start::warm);
  const double before_cold = loss(NormPlace::before, Start::cold), after_cold = loss(NormPlace::after, Start::cold);
  losses.row({"norm before", significant(before_warm, 3), significant(before_cold, 3)});
  losses.row({"norm after", significant(after_warm, 3), significant(after_cold, 3)});
  losses.print();
  claims.at_least("norm after: its loss with warm-up, in that of norm before", after_warm / before_warm, 2);
  claims.at_least("norm after: its loss without warm-up, in that with it", after_cold / after_warm, 1.2);
  claims.below("norm before: its loss without warm-up, in that with it", before_cold / before_warm, 1);
}

int all_seeds() {
  check_writable(results_path());
  Claims claims;
  Results results;
  Size agreeing = 0;               // seeds in which the mean of the heads agrees nine times in ten
  double tausend_in_the_rest = 0;  // of "tausend" in the others, at most
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    heading(fill("Seed {}", {count(static_cast<Size>(seed))}));
    const NumberSplit split = split_for(seed);
    const Task task = number_task(split);
    Learner<Transformer> learner = learner_of(task, Flaw::none, seed);
    train(task, split, learner);
    const Figures figures = measure(task, split, learner.model());
    show_alignment(figures);
    claim_figures(figures, claims);
    const bool agrees = figures.mean_of_heads() >= 0.9;
    agreeing += agrees;
    if (!agrees) tausend_in_the_rest = std::max(tausend_in_the_rest, figures.heads.back().thousand.share());
    for (const auto& [name, value] : named(figures)) results.add(name, seed, value);
  }
  results.write(results_path());
  claims.between("seeds in which the mean of the heads agrees in 90 %", static_cast<double>(agreeing), 2, 2);
  claims.below("'tausend' in the others, mean of the heads, at most", tausend_in_the_rest, 0.5);
  return claims.conclude();
}

}  // namespace

int numbers_lesson(const Options& options, const std::string& picture) {
  if (!picture.empty()) check_writable(picture);
  if (options.full()) return all_seeds();
  const NumberSplit split = split_for(options.seed());
  const Task task = number_task(split);
  Learner<Transformer> learner = learner_of(task, flaw_of(options), options.seed());
  say_beginning(options, task, learner.model());
  show_rates();
  heading("Learning");
  const Size number = full_number(split);
  const Transformer& model = learner.model();
  std::vector<Look> course;
  const double last_loss = train(task, split, learner, "learning", [&](Size step) {
    course.push_back({step, looks(task, model, {number})[0]});
  });
  const Figures figures = measure(task, split, model);

  Claims claims;
  show_translations(task, split, model);
  show_heat_maps(course, number, figures.head, options, picture);
  show_alignment(figures);
  claims.below("mean of the last 20 losses", last_loss, 0.005);
  claim_figures(figures, claims);
  if (options.broken().empty()) claim_ranges(figures, claims);
  decoding_section(task, model, claims);
  heading("What must hold whatever it has learned");
  claim_identities(task, model, claims);
  norms_section(task, options.seed(), claims);
  heading("Are the derivatives right?");
  claim_gradients(claims);
  try_next({{"./attend run 08 --break no-causal-mask", "a loss of nearly nothing, and nothing learned"},
            {"./attend run 08 --task names", "names, beside the model of chapter 03"},
            {"./attend check 08", "shift the target yourself"}});
  return claims.conclude();
}

int quick_lesson(const Options& options) {
  const NumberSplit split = split_for(options.seed());
  const Task task = number_task(split);
  title("08", "A transformer that translates, the quick checks");
  say(options.break_notice());
  Claims claims;
  std::set<std::string> texts;
  for (Size n = 1; n <= largest_number; ++n) texts.insert(join_words(number_words(n).german));
  claims.between("different German texts of the numbers up to 9,999", static_cast<double>(texts.size()), largest_number,
                 largest_number);

  Learner<Transformer> learner = learner_of(task, flaw_of(options), options.seed());
  constexpr Size steps = 40;
  double first = 0, last = 0;
  for (Size i = 1; i <= steps; ++i) {
    learner.set_rate(rate_at(i));
    const double loss = learner.step();
    if (i <= 5) first += loss / 5;
    if (i > steps - 5) last += loss / 5;
  }
  claims.below(fill("loss after {} steps, in the first loss", {count(steps)}), last / first, 0.5);
  claim_identities(task, learner.model(), claims);
  claim_gradients(claims);
  return claims.conclude();
}

}  // namespace attend::chapter08
