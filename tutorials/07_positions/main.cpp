// Chapter 07: positions. The page is README.md beside this file.
#include <algorithm>
#include <iostream>

#include "tensor/parallel.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/07_positions/geometry.hpp"
#include "tutorials/07_positions/identities.hpp"
#include "tutorials/07_positions/learning.hpp"
#include "tutorials/07_positions/repeating.hpp"
#include "tutorials/lesson/lesson.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace attend::chapter07;

namespace {

const std::vector<Size> tested_lengths = {24, 32, 48, 96};
constexpr Size steps_of_a_quick_one = 200, texts_to_ask = 100, seeds = 5;

std::string chapter_file(const std::string& name) { return std::string(ATTEND_CHAPTER_DIR) + "/" + name; }

std::string figure_name(const std::string& trial, Size length) { return fill("{} at {}", {trial, count(length)}); }

Fault fault_of(const Options& options) {
  if (options.breaks("rotary-queries")) return Fault::rotary_queries_only;
  if (options.breaks("rotary-values")) return Fault::rotary_values_too;
  if (options.breaks("positions-last")) return Fault::positions_last;
  if (options.breaks("mirrored")) return Fault::mirrored_distance;
  return Fault::none;
}

// ---- without training -----------------------------------------------------------------------------------------------

void sinusoid_section(const std::string& picture, Claims& claims) {
  heading("What a position looks like");
  const HeatMap map = sinusoid_map(24, 32);
  draw(map);
  say("The first columns go up and down every few positions, the last ones hardly move.\n");
  if (!picture.empty()) write_svg(map, picture);
  claim_sinusoids(claims);
}

Chart distance_chart() {
  Rng rng(5);
  const Tensor query = rng.normal({64}, 0, 1, DType::float64), key = rng.normal({64}, 0, 1, DType::float64);
  Chart chart{"One query, one key, 64 wide: q · k / 8 by their distance",
              "distance",
              {},
              {{"sinusoids added", {}}, {"rotary", {}}},
              -2,
              6};
  for (Size distance : {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) {
    chart.places.push_back(count(distance));
    chart.series[0].points.push_back(product_at(Meeting::added, query, key, distance, 32, 64));
    chart.series[1].points.push_back(product_at(Meeting::turned, query, key, distance, 32, 64));
  }
  return chart;
}

void distance_section(const std::string& picture, Claims& claims) {
  heading("What a product depends on");
  const Chart chart = distance_chart();
  say("The query stands at the positions 32 to 95, the key the distance before it. The product's mean over the 64 "
      "positions, and from where to where it goes:\n");
  Table table({"distance", "added: mean", "lowest", "highest", "rotary: mean", "lowest", "highest"});
  double added = 0, turned = 0;
  for (std::size_t i = 0; i < chart.places.size(); ++i) {
    std::vector<std::string> cells = {chart.places[i]};
    for (const Series& series : chart.series) {
      const Spread& spread = series.points[i];
      for (double value : {spread.mean, spread.low, spread.high}) cells.push_back(fixed(value, 3));
    }
    table.row(cells);
    added = std::max(added, chart.series[0].points[i].high - chart.series[0].points[i].low);
    turned = std::max(turned, chart.series[1].points[i].high - chart.series[1].points[i].low);
  }
  table.print();
  if (!picture.empty()) write_svg(chart, picture);
  claims.at_least("sinusoids added: highest less lowest", added, 0.5);
  claims.below("rotary: highest less lowest", turned, 1e-12);
  claim_rotary(claims);
}

void table_section(Claims& claims) {
  heading("Learned positions past their table");
  Rng rng(1);
  const LearnedPositions positions(trained_length, 64, rng);
  std::string message;
  try {
    positions(Var(Tensor::zeros({1, 48, 64})));
  } catch (const std::invalid_argument& error) {
    message = error.what();
  }
  say("A table of 24 rows, asked for 48:\n  " + message +
      "\nThere is no row to give. A table of 96 rows has them, but rows that no training met are as they were "
      "drawn.\n");
  claims.holds("positions past the table are an error that names both sizes",
               message.find("48") != std::string::npos && message.find("24") != std::string::npos);
}

// ---- training -------------------------------------------------------------------------------------------------------

// One trial: right answers by position, for each of the tested lengths.
struct Outcome {
  Trial trial;
  Size steps;
  std::vector<std::vector<double>> right;

  const std::vector<double>& by_position(Size length) const {
    const auto place = std::find(tested_lengths.begin(), tested_lengths.end(), length) - tested_lengths.begin();
    return right[static_cast<std::size_t>(place)];
  }
  double at(Size length) const { return accuracy(by_position(length)); }
  // In texts of length 48: at the positions met in training, and behind them.
  double within() const { return mean_of(by_position(48), back, trained_length); }
  double beyond() const { return mean_of(by_position(48), trained_length, 48); }
};

Outcome run_trial(const Trial& trial, std::uint64_t seed, Size steps, Size texts) {
  Progress progress(name_of(trial), steps);
  const Reader reader = trained(trial, seed, steps, [&](Size step, double loss) { progress.step(step, loss); });
  progress.done();
  Outcome outcome{trial, steps, {}};
  for (Size length : tested_lengths) outcome.right.push_back(right_by_position(reader, length, texts));
  return outcome;
}

std::vector<Outcome> run_trials(const std::vector<Trial>& trials, std::uint64_t seed) {
  std::vector<Outcome> outcomes;
  for (const Trial& trial : trials) outcomes.push_back(run_trial(trial, seed, steps_of(trial), texts_to_ask));
  return outcomes;
}

void show(const std::vector<Outcome>& outcomes) {
  Table table({"positions", "steps", "24", "32", "48", "96", "to 23", "from 24"});
  for (const Outcome& outcome : outcomes) {
    std::vector<std::string> cells = {name_of(outcome.trial), count(outcome.steps)};
    for (Size length : tested_lengths) cells.push_back(percent(outcome.at(length)));
    cells.push_back(percent(outcome.within()));
    cells.push_back(percent(outcome.beyond()));
    table.row(cells);
  }
  std::cout << "\n";
  table.print();
  say("The last two columns: texts of length 48 up to position 23, where the training ended, and from there on.\n");
}

// What the page says of each scheme.
void claim_outcome(const Outcome& outcome, Claims& claims) {
  const std::string name = name_of(outcome.trial);
  if (outcome.trial.start == Start::anywhere) {
    claims.at_least(name + ": right at 48", outcome.at(48), 0.9);
    return;
  }
  switch (outcome.trial.scheme) {
    case Scheme::sinusoidal:
    case Scheme::learned:
      claims.at_least(name + ": right at 24", outcome.at(24), 0.95);
      claims.at_most(name + ": right at 48", outcome.at(48), 0.7);
      break;
    case Scheme::rotary:
    case Scheme::relative:
      claims.at_least(name + ": right at 48", outcome.at(48), 0.9);
      break;
    case Scheme::buckets:
      claims.at_least(name + ": right at 24", outcome.at(24), 0.95);
      break;
    case Scheme::none:
      claims.between(name + ": right at 24", outcome.at(24), 0.2, 0.4);
      break;
    case Scheme::alibi:
      claims.at_least(name + ": kept at 96, of what it has at 24", outcome.at(96) / outcome.at(24), 0.75);
      break;
  }
}

void claim_ranges(const std::vector<Outcome>& outcomes, Claims& claims) {
  const Results stated = Results::read(chapter_file("results.tsv"));
  constexpr double slack = 0.02;
  for (const Outcome& outcome : outcomes) {
    for (const Size length : tested_lengths) {
      claims.share_as_stated(outcome.at(length), stated.at(figure_name(name_of(outcome.trial), length)), slack);
    }
  }
}

// Two short trainings, which are enough to see who is ahead.
void quick_training(const Options& options, Claims& claims) {
  std::vector<Outcome> outcomes;
  for (Scheme scheme : {Scheme::sinusoidal, Scheme::relative}) {
    outcomes.push_back(run_trial({scheme}, options.seed(), steps_of_a_quick_one, 20));
  }
  show(outcomes);
  claims.at_least("relative: right at 48", outcomes[1].at(48), 0.9);
  claims.at_least("relative, ahead of sinusoidal at 48", 100 * (outcomes[1].at(48) - outcomes[0].at(48)), 20,
                  " points");
}

void training_section(const Options& options, Claims& claims) {
  heading("Trained on length 24, asked on others");
  say("The task: at each position name the token three before it. Ten symbols, drawn at random, so that nothing but "
      "positions helps; always the same answer is right one time in ten. Two layers, 64 wide, four heads; one training "
      "for each way of giving positions.\n");
  shapes({{"texts", {16, 24}, "batch, positions"},
          {"tokens", {16, 24, 64}, "+ positions: sinusoidal, learned"},
          {"queries, keys", {16, 4, 24, 16}, "turned: rotary; + distances: relative"},
          {"scores", {16, 4, 24, 24}, "+ distances: T5 buckets, ALiBi"},
          {"symbols", {16, 24, 10}, "scores of the answer"}});
  std::cout << "\n";
  if (options.quick()) {
    quick_training(options, claims);
    return;
  }
  const Fault fault = fault_of(options);
  const std::vector<Trial> only_broken = {{scheme_of(fault), Start::at_zero, fault}};
  const std::vector<Outcome> outcomes = run_trials(fault == Fault::none ? all_trials() : only_broken, options.seed());
  show(outcomes);
  for (const Outcome& outcome : outcomes) claim_outcome(outcome, claims);
  if (fault == Fault::none) claim_ranges(outcomes, claims);
}

// ---- all seeds ------------------------------------------------------------------------------------------------------

// A curve for each of the trials, over the tested lengths.
Chart length_chart(const std::string& title, const std::vector<std::string>& names, const Results& results) {
  Chart chart{title, "length of the texts; trained on 24", {}, {}, 0, 1};
  for (Size length : tested_lengths) chart.places.push_back(count(length));
  for (const std::string& name : names) {
    Series series{name, {}};
    for (Size length : tested_lengths) {
      const Figure& figure = results.at(figure_name(name, length));
      series.points.push_back({figure.min, figure.mean, figure.max});
    }
    chart.series.push_back(series);
  }
  return chart;
}

void draw_lengths(const Results& results) {
  const Chart added = length_chart("Right answers: positions of tokens",
                                   {"none", "sinusoidal", "learned", "sinusoidal, shifted"}, results);
  const Chart met = length_chart("Right answers: distances of queries and keys",
                                 {"rotary", "relative", "T5 buckets", "ALiBi"}, results);
  for (const Chart& chart : {added, met}) {
    std::cout << "\n";
    draw(chart);
  }
  write_svg(added, chapter_file("lengths_of_tokens.svg"));
  write_svg(met, chapter_file("lengths_of_distances.svg"));
}

int all_seeds() {
  check_writable(chapter_file("results.tsv"));
  Claims claims;
  Results results;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    heading(fill("Seed {}", {count(static_cast<Size>(seed))}));
    const std::vector<Outcome> outcomes = run_trials(all_trials(), seed);
    show(outcomes);
    for (const Outcome& outcome : outcomes) {
      claim_outcome(outcome, claims);
      for (Size length : tested_lengths) {
        results.add(figure_name(name_of(outcome.trial), length), seed, outcome.at(length));
      }
    }
  }
  results.write(chapter_file("results.tsv"));
  draw_lengths(results);
  return claims.conclude();
}

int chapter(int argc, char** argv) {
  std::string picture, distances;
  Options options(
      "07", "Positions",
      {{"rotary-queries", "rotary turns the queries and leaves the keys as they are",
        "their product depends on where the query stands and no longer on the distance"},
       {"rotary-values", "rotary turns the values, too", "what is handed over depends on where it stood"},
       {"positions-last", "sinusoids are added behind the attention", "queries and keys never hear of them"},
       {"mirrored", "T5's buckets are looked up by i − j in place of j − i",
        "all keys before the query fall into the bucket of those ahead"}});
  options.file("--picture", picture, "write the heat map of the sinusoids to this SVG file");
  options.file("--distances", distances, "write the chart of products by distance to this SVG file");
  options.parse(argc, argv);
  set_threads(options.threads());
  if (options.full()) return all_seeds();
  title("07", "Positions");
  say(options.break_notice());
  say("The claim: attention sees a set, so where a token stands must be told. Told as positions that are added to the "
      "tokens, it works for positions met in training; told as distances, it works for texts that are longer.");
  Claims claims;
  sinusoid_section(picture, claims);
  distance_section(distances, claims);
  table_section(claims);
  heading("Layers that know distances only");
  claim_shift_invariance(fault_of(options), claims);
  training_section(options, claims);
  heading("Are the derivatives right?");
  claim_position_gradients(options.seed(), claims);
  try_next({{"./attend run 07 --break rotary-queries", "a distance is known to two, not to one"},
            {"./attend check 07", "write sinusoids and rotary yourself"}});
  return claims.conclude();
}

}  // namespace

int main(int argc, char** argv) { return lesson::run(argc, argv, chapter); }
