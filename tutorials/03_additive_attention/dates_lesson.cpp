#include "tutorials/03_additive_attention/dates_lesson.hpp"

#include <algorithm>
#include <cmath>

#include "nn/schedule.hpp"
#include "tensor/kernels.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/03_additive_attention/breaks.hpp"
#include "tutorials/03_additive_attention/dates.hpp"
#include "tutorials/03_additive_attention/identities.hpp"
#include "tutorials/03_additive_attention/occlusion.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter03 {

using namespace translation;

namespace {

using namespace lesson;

constexpr Size held_out_dates = 500, longest_date = 11;  // ten characters and the end
constexpr Size every = 25;                               // steps between two looks at the held-out dates
constexpr double passed = 0.95;
constexpr Size most_steps = 400, polishing_steps = 300;
constexpr Size most_steps_without = 2000;

// As many parameters as with attention: without the attention's own weights the states can be a little wider.
TranslatorSize size_without(const Task& task) { return {task.source.size(), task.target.size(), 32, 69}; }

std::string results_path() { return std::string(ATTEND_CHAPTER_DIR) + "/results.tsv"; }

HeatMap heat_map(const DateExample& date, const Answers& answers, std::size_t b) {
  const Tokens& answer = answers.texts[b];
  const Size steps = static_cast<Size>(answer.size()), positions = static_cast<Size>(date.source.size());
  const Var weights = select(Var(answers.weights), 0, static_cast<Size>(b));  // [steps, Tx]
  const Var map = slice(slice(weights, 0, 0, steps), 1, 0, positions);
  return {Matrix(steps, positions, map.value().to_vector()), answer, date.source,
          date.key() + " -> " + join_characters(answer)};
}

std::size_t first_of_form(const std::vector<DateExample>& dates, Size form) {
  return static_cast<std::size_t>(
      std::find_if(dates.begin(), dates.end(), [&](const DateExample& date) { return date.form == form; }) -
      dates.begin());
}

// How one model went: at which multiple of 25 steps it first passed 95 %, and how it stood at each.
struct Course {
  Size passed_at = 0;         // 0: never
  std::vector<double> exact;  // after 25, 50, ... steps
  std::vector<Moment> looks;  // where it looked then, for the first date; none without attention
  // As it stood after that many steps, or at its last look if it stopped before.
  double at(Size steps) const { return exact[std::min(static_cast<std::size_t>(steps / every), exact.size()) - 1]; }
};

enum class WhenPassed { stop, go_on };

// Trains for `most` steps, or only until the model passes 95 % of the held-out dates.
Course train_for(const std::string& name, const Task& task, const std::vector<DateExample>& dates,
                 RecurrentLearner& learner, Size most, WhenPassed when_passed) {
  Course course;
  Progress progress(name, most);
  while (learner.steps() < most) {
    const double loss = learner.step();
    if (learner.steps() % every == 0) {
      const Answers answers = ask(task, learner.model(), task.held_out, longest_date);
      course.exact.push_back(exact_match(answers, task.held_out));
      const std::size_t b = first_of_form(dates, 0);
      if (answers.weights.defined()) course.looks.push_back({learner.steps(), heat_map(dates[b], answers, b)});
      if (course.passed_at == 0 && course.exact.back() >= passed) course.passed_at = learner.steps();
    }
    const std::string note = course.exact.empty() ? "" : "exact " + percent(course.exact.back());
    progress.step(learner.steps(), loss, note);
    if (when_passed == WhenPassed::stop && course.passed_at > 0) break;
  }
  progress.done();
  return course;
}

// A last phase in which the rate falls to 0 along half a cosine.
void polish(RecurrentLearner& learner) {
  Progress progress("polishing", polishing_steps);
  for (Size i = 1; i <= polishing_steps; ++i) {
    learner.set_rate(cosine_rate(i, date_rate, polishing_steps));
    progress.step(i, learner.step());
  }
  progress.done();
}

// Where the pattern has a four-digit year: the share of the year's four digits that look most at a character of it.
double share_on_year(const Answers& answers, const std::vector<DateExample>& dates) {
  const Tensor looked = argmax(answers.weights, -1);  // [dates, steps]
  Size on_year = 0, digits = 0;
  for (std::size_t b = 0; b < dates.size(); ++b) {
    if (dates[b].year_span.size() != 4) continue;
    for (Size i = 0; i < 4; ++i) {
      ++digits;
      on_year += dates[b].year_span.contains(static_cast<Size>(looked.at({static_cast<Size>(b), i})));
    }
  }
  return static_cast<double>(on_year) / static_cast<double>(digits);
}

double largest_gap_to_one(const Tensor& weights) {
  const Tensor sums = kernel::sum(weights, {-1}, false);
  return largest_difference(sums, Tensor::ones(sums.shape(), sums.dtype()));
}

struct Figures {
  Course with, without;
  double exact, on_year, gap_to_one, seconds;
};

// One date in each of three forms. The first goes into a file too, if one is named, and has `looks` from its training.
void show_heat_maps(const std::vector<DateExample>& dates, const Answers& answers, const std::vector<Moment>& looks,
                    const std::string& picture) {
  heading("Where it looked, for dates it has never seen");
  say("A row is a character that was written, a column one that was read. The first column is the locale.");
  for (Size form : {0, 2, 3}) {
    const std::size_t b = first_of_form(dates, form);
    const HeatMap map = heat_map(dates[b], answers, b);
    if (form == 0) {
      show_over_training("How " + dates[b].key() + " came to be read", looks);
    } else {
      draw(map);
    }
    say(in_words(map, 0));
    if (form == 0 && !picture.empty()) write_svg(map, picture);
  }
}

// One example in full, and the means over a hundred.
void show_occlusion(const Task& task, const RecurrentTranslator& model, const std::vector<DateExample>& dates,
                    Claims& claims) {
  heading("Is the weight an explanation? Hide what it looked at");
  Rng rng(11);
  Table table({"writes", "looks most at", "p(right)", "hidden", "another hidden"});
  const std::vector<Occlusion> first = occlude(task, model, task.held_out[0], rng);
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::string looked = task.held_out[0].source[static_cast<std::size_t>(first[i].looked_at)];
    table.row({task.held_out[0].target[i],
               fill("{} in column {}", {looked == " " ? "␣" : looked, count(first[i].looked_at)}),
               fixed(first[i].with_all, 3), fixed(first[i].without_it, 3), fixed(first[i].without_other, 3)});
  }
  say(dates[0].key());
  table.print();

  double with_all = 0, without_it = 0, without_other = 0, n = 0;
  for (std::size_t b = 0; b < 100; ++b) {
    for (const Occlusion& step : occlude(task, model, task.held_out[b], rng)) {
      with_all += step.with_all;
      without_it += step.without_it;
      without_other += step.without_other;
      n += 1;
    }
  }
  say(fill(
      "Over 100 unseen dates the right character has the mean probability {}; with the character it looked at most "
      "hidden {}, with another one hidden {}.",
      {fixed(with_all / n, 3), fixed(without_it / n, 3), fixed(without_other / n, 3)}));
  claims.at_least("hiding what it looks at most costs more than hiding another, by", (without_other - without_it) / n,
                  0.2);
}

Figures measure(const Options& options, std::uint64_t seed, const DateTask& dates, const Task& task,
                const std::string& picture, Claims* claims) {
  const Bridge bridge = bridge_of(options);
  Figures figures{};
  Stopwatch watch;
  RecurrentLearner with = learner_of(task, size_with(task), bridge, seed, date_rate);
  figures.with = train_for("with attention", task, dates.held_out(), with, most_steps, WhenPassed::go_on);
  polish(with);
  figures.seconds = watch.seconds();

  // Without attention: until it passes too, but in a plain run no longer than 1.6 times as many steps.
  RecurrentLearner without = learner_of(task, size_without(task), Bridge::summary, seed, date_rate);
  const Size reference = figures.with.passed_at > 0 ? figures.with.passed_at : most_steps;
  const Size limit = static_cast<Size>(std::floor(1.6 * static_cast<double>(reference) / every)) * every;
  figures.without = train_for("without attention", task, dates.held_out(), without,
                              options.full() ? most_steps_without : limit, WhenPassed::stop);

  const Answers answers = ask(task, with.model(), task.held_out, longest_date);
  figures.exact = exact_match(answers, task.held_out);
  figures.on_year = share_on_year(answers, dates.held_out());
  figures.gap_to_one = largest_gap_to_one(answers.weights);
  if (claims) {
    const std::size_t b = first_of_form(dates.held_out(), 0);
    figures.with.looks.push_back({with.steps(), heat_map(dates.held_out()[b], answers, b)});
    show_heat_maps(dates.held_out(), answers, figures.with.looks, picture);
    show_occlusion(task, with.model(), dates.held_out(), *claims);
  }
  return figures;
}

void say_beginning(const Options& options, const Task& task) {
  title("03", "Additive attention");
  say(options.break_notice());
  say("A model that reads a date of any of twelve locales and writes it in ISO form learns it with far fewer examples "
      "when its writer may look back at each character of the text, and where it looks can be seen.");
  Rng rng(1);
  const RecurrentTranslator with(size_with(task), Bridge::attention, rng),
      without(size_without(task), Bridge::summary, rng);
  shapes({{"source characters", {64, 16}, "batch, characters of the longest text"},
          {"reader's states h", {64, 16, 128}, "both directions"},
          {"writer's state s", {64, 1, 64}, "the query"},
          {"scores v tanh(W_q s + W_k h)", {64, 1, 16}, "one for each character"},
          {"weights", {64, 1, 16}, "softmax of the scores"},
          {"context", {64, 1, 128}, "weighted sum of the states"}});
  say(fill("Parameters: {} with attention, {} without.",
           {count(parameter_count(with)), count(parameter_count(without))}));
}

// The figures of the page's table, under the names they have in results.tsv.
std::vector<std::pair<std::string, double>> named(const Figures& figures) {
  const Size at = figures.with.passed_at;
  return {{"exact match with attention", figures.exact},
          {"steps to 95 % with attention", static_cast<double>(at)},
          {"exact match without attention at that step", figures.without.at(at)},
          {"year's digits that look at the year", figures.on_year}};
}

void claim_figures(const Figures& figures, Claims& claims) {
  const Course &with = figures.with, &without = figures.without;
  const Size at = with.passed_at > 0 ? with.passed_at : most_steps;
  Table table({"", "steps to 95 %", fill("exact after {} steps", {count(at)}), "exact in the end"});
  const auto steps = [](Size n, Size most) { return n > 0 ? count(n) : "over " + count(most); };
  table.row({"with attention", steps(with.passed_at, most_steps), percent(with.at(at)), percent(figures.exact)});
  table.row({"without", steps(without.passed_at, static_cast<Size>(without.exact.size()) * every),
             percent(without.at(at)), "-"});
  table.print();
  // Printed, not claimed: it says more of the machine than of attention.
  say(fill("Training with attention took {}; on two cores it is meant to take no more than 60 s.",
           {duration(figures.seconds)}));

  claims.holds(fill("passes 95 % of 500 unseen dates within {} steps", {count(most_steps)}), with.passed_at > 0);
  claims.at_least("exact match on 500 unseen dates", figures.exact, 0.99);
  claims.at_least("ahead of the model without attention at that step", 100 * (with.at(at) - without.at(at)), 30,
                  " points");
  const double needed = static_cast<double>(
      without.passed_at > 0 ? without.passed_at : static_cast<Size>(without.exact.size() + 1) * every);
  claims.at_least("steps to 95 % without attention, as a multiple of those with it", needed / static_cast<double>(at),
                  1.6);
  claims.at_least("year's digits that look most at a character of the year", figures.on_year, 0.9);
  claims.below("weights of a step: their sum, less 1", figures.gap_to_one, 1e-5);
}

// A plain run must lie in the ranges that the page states, which come from --full.
void claim_ranges(const Figures& figures, Claims& claims) {
  const Results stated = Results::read(results_path());
  for (const auto& [name, value] : named(figures)) {
    if (name.rfind("steps", 0) == 0) {
      claims.as_stated(value, stated.at(name), 2.0 * every);
    } else {
      claims.share_as_stated(value, stated.at(name), 0.05);
    }
  }
}

int all_seeds(const Options& options) {
  check_writable(results_path());
  Claims claims;
  Results results;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    heading(fill("Seed {}", {count(static_cast<Size>(seed))}));
    const DateTask dates(read_date_locales(data_path("cldr/cldr_dates.tsv")), held_out_dates, seed);
    const Task task = date_task(dates);
    const Figures figures = measure(options, seed, dates, task, "", nullptr);
    claim_figures(figures, claims);
    for (const auto& [name, value] : named(figures)) results.add(name, seed, value);
    results.add("steps to 95 % without attention", seed, static_cast<double>(figures.without.passed_at));
  }
  results.write(results_path());
  return claims.conclude();
}

}  // namespace

TranslatorSize size_with(const Task& task) { return {task.source.size(), task.target.size(), 32, 64}; }

int dates_lesson(const Options& options, const std::string& picture) {
  if (!picture.empty()) check_writable(picture);
  if (options.full()) return all_seeds(options);
  const DateTask dates(read_date_locales(data_path("cldr/cldr_dates.tsv")), held_out_dates, options.seed());
  const Task task = date_task(dates);
  say_beginning(options, task);
  Claims claims;
  heading("Learning");
  const Figures figures = measure(options, options.seed(), dates, task, picture, &claims);
  heading("What came out");
  claim_figures(figures, claims);
  if (options.broken().empty() && figures.with.passed_at > 0) claim_ranges(figures, claims);
  heading("Are the derivatives right?");
  claim_gradients(claims);
  heading("What must hold whatever it has learned");
  claim_identities(bridge_of(options), claims);
  try_next({{"./attend run 03 --break no-softmax", "the weights are the scores themselves"},
            {"./attend check 03", "write the scores yourself"}});
  return claims.conclude();
}

int quick_lesson(const Options& options) {
  const DateTask dates(read_date_locales(data_path("cldr/cldr_dates.tsv")), held_out_dates, options.seed());
  const Task task = date_task(dates);
  title("03", "Additive attention, the quick checks");
  say(options.break_notice());
  Claims claims;
  claim_identities(bridge_of(options), claims);
  claim_gradients(claims);

  RecurrentLearner learner = learner_of(task, size_with(task), bridge_of(options), options.seed(), date_rate);
  constexpr Size steps = 40;
  double first = 0, last = 0;
  for (Size i = 1; i <= steps; ++i) {
    const double loss = learner.step();
    if (i <= 5) first += loss / 5;
    if (i > steps - 5) last += loss / 5;
  }
  claims.below(fill("loss after {} steps, in the first loss", {count(steps)}), last / first, 0.6);
  return claims.conclude();
}

}  // namespace attend::chapter03
