// Chapter 09: channel attention. The page is README.md beside this file.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>

#include "tensor/parallel.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/09_channel_attention/cost.hpp"
#include "tutorials/09_channel_attention/identities.hpp"
#include "tutorials/09_channel_attention/looking.hpp"
#include "tutorials/lesson/lesson.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace attend::chapter09;

namespace {

const GateKind plain{GateKind::none}, excitation{GateKind::squeeze_excitation, 4};

std::string results_path() { return std::string(ATTEND_CHAPTER_DIR) + "/results.tsv"; }

// The figures of a run, under the names they have in results.tsv.
using Figures = std::vector<std::pair<std::string, double>>;

// ---- the task -----------------------------------------------------------------------------------------------------

// One pair, side by side, as the model gets it.
void show_pair(const CuedDigits& pairs) {
  const Tensor first = slice(pairs.pixels, 0, 0, 1);
  std::vector<double> rows;
  for (Size i = 0; i < 8; ++i) {
    for (Size c = 0; c < 3; ++c) {
      for (Size j = 0; j < 8; ++j) rows.push_back(first.at({0, c, i, j}));
      if (c < 2) rows.insert(rows.end(), 2, 0.0);
    }
  }
  draw({Matrix(8, 28, rows), {}, {}, "the first digit, the second digit, the cue"});
  say(fill("The cue is {}: the {} digit is meant, class {}.",
           {first.at({0, 2, 0, 0}) > 0 ? "1" : "−1", pairs.plus.at({0}) != 0 ? "first" : "second",
            count(static_cast<Size>(pairs.meant.at({0})))}));
}

void say_beginning(const CuedTask& task) {
  say("The claim: a gate for each channel, made from the means of all channels, carries one fact about the whole image "
      "to every place at once. A convolution carries it as far as its kernel reaches. Where everything depends on such "
      "a fact, the gates are worth many points; where nothing does, none.");
  shapes({{"two digits and a cue", {32, 3, 8, 8}, "batch, channels, height, width"},
          {"maps of a block", {32, 32, 8, 8}, "norm(conv 3 × 3)"},
          {"squeezed", {32, 32}, "mean over all positions"},
          {"bottleneck, r = 4", {32, 8}, "relu(W_1 ·)"},
          {"gates", {32, 32}, "σ(W_2 ·), one for each channel"},
          {"weighed maps", {32, 32, 8, 8}, "relu(each channel times its gate)"}});
  heading("Which digit is meant?");
  show_pair(task.cued_test);
}

void reach_section(const CuedTask& task, const GateKind& gated, std::uint64_t seed, Claims& claims) {
  heading("How far does the cue reach?");
  say("The cue of 1,000 pairs is turned, and nothing else. At how many of the 64 positions do the last maps of a "
      "network "
      "change that has learned nothing yet?\n");
  Table table({"blocks", "plain", gated.name(), "field of a position"});
  bool as_computed = true, everywhere = true;
  for (Size blocks : {1, 2, 3}) {
    const auto reached = [&](const GateKind& kind) {
      Rng rng(seed);
      return positions_reached(Network({3, 32, blocks}, kind, rng), task.cued_test);
    };
    const Size bare = reached(plain), weighed = reached(gated), field = 2 * blocks + 1;
    table.row({count(blocks), count(bare), count(weighed), fill("{} × {} pixels", {count(field), count(field)})});
    as_computed = as_computed && bare == (blocks + 1) * (blocks + 1);
    everywhere = everywhere && weighed == 64;
  }
  table.print();
  claims.holds("plain: (blocks + 1)² positions around the cue's corner, and no other", as_computed);
  claims.holds("with gates: all 64 positions, from the first block on", everywhere);
}

// ---- learning -----------------------------------------------------------------------------------------------------

Network train_and_show(const std::string& name, const Task& task, const GateKind& kind, const Course& course,
                       std::uint64_t seed) {
  Progress progress(name, course.steps);
  std::string note;
  const Network network = train(task, kind, course, seed, [&](Size step, double loss, const Network& model) {
    if (step % (course.steps / 5) == 0) note = percent(accuracy(model, task.validation)) + " right";
    progress.step(step, loss, note);
  });
  progress.done();
  return network;
}

struct Tasks {
  CuedTask cued;
  Task digits;
};

Tasks make_tasks(std::uint64_t seed) {
  Rng rng(seed);
  const Split split = split_digits(digits8x8(), rng);
  return {cued_task(split, rng), plain_task(split)};
}

constexpr Size digit_steps = 400;  // for the digits as they are

void learning_section(const Tasks& tasks, const GateKind& gated, const Network& bare, const Network& weighed,
                      Figures& figures, Claims& claims) {
  heading("What came out");
  const double without = accuracy(bare, tasks.cued.test), with = accuracy(weighed, tasks.cued.test);
  Table table({"1,000 pairs of unseen digits", "named right", "numbers to learn"});
  table.row({"plain", percent(without), count(parameter_count(bare))});
  table.row({gated.name(), percent(with), count(parameter_count(weighed))});
  table.row({"a digit by chance", percent(0.1), "-"});
  table.print();
  claims.at_least(gated.name() + " ahead of the plain network", 100 * (with - without), 8, " points");
  figures.insert(figures.end(), {{"cued digits: plain", without}, {"cued digits: SE r=4", with}});
}

// ---- looking ------------------------------------------------------------------------------------------------------

// Do the channels that open for a cue listen to the digit that it means? In quarters of the order above.
void listening_table(const Network& network, const MeanGates& first_block) {
  const std::vector<std::size_t> order = by_difference(first_block);
  const std::vector<double> on_first = share_on_first_digit(network);
  Table table({"channels of block 1, in the order above", "gate, cue +", "gate, cue −", "kernel on the first digit"});
  const std::size_t quarter = order.size() / 4;
  for (std::size_t q = 0; q < 4; ++q) {
    const auto mean_of = [&](const std::vector<double>& values) {
      double sum = 0;
      for (std::size_t i = q * quarter; i < (q + 1) * quarter; ++i) sum += values[order[i]];
      return sum / static_cast<double>(quarter);
    };
    table.row({fill("{} to {}", {count(size_of(order) / 4 * static_cast<Size>(q) + 1),
                                 count(size_of(order) / 4 * static_cast<Size>(q + 1))}),
               fixed(mean_of(first_block.plus), 2), fixed(mean_of(first_block.minus), 2), percent(mean_of(on_first))});
  }
  table.print();
}

void gates_section(const CuedTask& task, const Network& network, const std::string& picture, Figures& figures,
                   Claims& claims) {
  heading("What the gates do");
  say("The mean gate of each channel over the test pairs with either cue; channels in order, from those that are more "
      "open for + to those that are more open for −.\n");
  const std::vector<MeanGates> means = mean_gates(network, task.cued_test);
  const Vars gates = network.gates(Var(task.cued_test.pixels));
  double gap = 0, least_sum = 1e9;
  for (std::size_t b = 0; b < means.size(); ++b) {
    const std::string block = "block " + std::to_string(b + 1);
    const HeatMap map = heat_map(means[b], block);
    draw(map);
    const Range sums = gate_sums(gates[b]);
    say(fill("Largest difference between the cues: {}. Sum of an image's 32 gates: {} to {}.\n",
             {fixed(largest_gap(means[b]), 3), fixed(sums.low, 1), fixed(sums.high, 1)}));
    gap = std::max(gap, largest_gap(means[b]));
    least_sum = std::min(least_sum, sums.low);
    if (b == 0 && !picture.empty()) write_svg(map, picture);
  }
  listening_table(network, means[0]);
  claims.at_least("the channel whose gate the cue moves most: by", gap, 0.3);
  claims.at_least("the smallest sum of an image's gates (attention weights would sum to 1)", least_sum, 2);
  figures.emplace_back("largest move of a mean gate", gap);
}

void exchange_section(const CuedTask& task, const Network& network, Figures& figures, Claims& claims) {
  heading("Is the gate the reason? Exchange it");
  say("Each image keeps its own pixels, but its channels are weighed with other gates.\n");
  const Exchanged answers = exchange_gates(network, task.cued_test);
  Table table({"gates", "names the digit meant", "names the other one"});
  table.row({"its own", percent(answers.own), "-"});
  table.row({"of the same digits under the other cue", percent(answers.twin_meant), percent(answers.twin_other)});
  table.row({"mean over all images", percent(answers.mean_meant), "-"});
  table.print();
  say("(Where both digits have one class, both columns count the answer.)");
  claims.at_least("with the gates of the other cue it names the other digit", answers.twin_other, 0.6);
  claims.at_least("own gates, ahead of the mean gates", 100 * (answers.own - answers.mean_meant), 20, " points");
  figures.insert(figures.end(), {{"names the other digit with the other cue's gates", answers.twin_other},
                                 {"named right with mean gates", answers.mean_meant}});
}

// ---- cost ---------------------------------------------------------------------------------------------------------

std::string millions(Size n) { return fixed(static_cast<double>(n) / 1e6, 2) + " M"; }
double share(Size part, Size whole) { return static_cast<double>(part) / static_cast<double>(whole); }

void resnet_table(Claims& claims) {
  const Cost50 all = resnet50();
  say(fill(
      "ResNet-50 for one image of 224 × 224 pixels has {} numbers to learn and {} multiplications, counted from the "
      "sizes of its layers. The two layers of SE behind each of its 16 blocks add:\n",
      {millions(all.parameters), millions(all.multiplications)}));
  Table table({"r", "numbers to learn", "added", "multiplications", "added"});
  for (Size r : {4, 16, 32, 64}) {
    const Cost50 added = excitations(r);
    table.row({count(r), millions(added.parameters), percent(share(added.parameters, all.parameters)),
               millions(added.multiplications), percent(share(added.multiplications, all.multiplications), 3)});
  }
  table.print();
  const double of_all = share(excitations(16).multiplications, all.multiplications);
  const double saved = share(excitations(16).multiplications - excitations(64).multiplications, all.multiplications);
  claims.below("r = 16: multiplications added", 100 * of_all, 1, " %");
  claims.at_least("r = 16: numbers to learn added", 100 * share(excitations(16).parameters, all.parameters), 9, " %");
  claims.below("from r = 16 to r = 64: multiplications saved, of all", 100 * saved, 0.1, " %");
  claims.at_least("15 to 22 frames a second would take: time saved, of all", 100 * (1 - 15.0 / 22.0), 30, " %");
}

void block_table(const Options& options, Claims& claims) {
  const Size repetitions = options.quick() ? 3 : 15;
  const Measured block = measure_block(repetitions);
  say("\nThe same, run: one block of the third stage (1024 channels to 256 and back, 14 × 14 positions) and the SE "
      "behind "
      "it. Multiplications as the counter of this library finds them, pooling and weighing included; time on this "
      "machine, median.\n");
  Table table({"", "numbers", "multiplications", "of two layers", "time", "of the block's"});
  const auto milliseconds = [](double seconds) { return fixed(1000 * seconds, 2) + " ms"; };
  table.row(
      {"the block", count(block.parameters), count(block.multiplications), "-", milliseconds(block.seconds), "-"});
  bool as_computed = true;
  for (Size r : {4, 16, 32, 64}) {
    const Measured se = measure_excitation(r, 5 * repetitions);
    table.row({"SE r=" + std::to_string(r), count(se.parameters), count(se.multiplications), count(se.matmul),
               milliseconds(se.seconds), percent(se.seconds / block.seconds)});
    as_computed = as_computed && se.matmul == 2 * 1024 * 1024 / r && se.parameters == se.matmul;
  }
  table.print();
  claims.holds("the two layers: 2 C² / r numbers, and as many multiplications by the counter", as_computed);
}

void cost_section(const Options& options, Claims& claims) {
  heading("What it costs, and what r saves");
  resnet_table(claims);
  block_table(options, claims);
}

// ---- the whole ----------------------------------------------------------------------------------------------------

void claim_ranges(const Figures& figures, Claims& claims) {
  heading("As the page states");
  say("Each figure, and how far around the range of three seeds it may lie.\n");
  const Results stated = Results::read(results_path());
  for (const auto& [name, value] : figures) claims.as_stated(value, stated.at(name), 0.05);
}

GateKind broken_kind(const Options& options) {
  const std::map<std::string, Fault> faults = {{"softmax", Fault::softmax},
                                               {"wrong-axis", Fault::positions},
                                               {"no-relu", Fault::no_relu},
                                               {"neighbours-gates", Fault::neighbour},
                                               {"max-squeeze", Fault::maximum}};
  const auto found = faults.find(options.broken());
  return found == faults.end() ? excitation : GateKind{GateKind::broken, 4, found->second};
}

int one_seed(const Options& options, const std::string& picture) {
  title("09", "Channel attention");
  say(options.break_notice());
  const GateKind gated = broken_kind(options);
  const Tasks tasks = make_tasks(options.seed());
  say_beginning(tasks.cued);
  Claims claims;
  Figures figures;
  reach_section(tasks.cued, gated, options.seed(), claims);
  if (!options.quick()) {
    heading("Learning");
    const Network bare = train_and_show("plain", tasks.cued, plain, {}, options.seed());
    const Network weighed = train_and_show(gated.name(), tasks.cued, gated, {}, options.seed());
    learning_section(tasks, gated, bare, weighed, figures, claims);
    if (gated.form == GateKind::squeeze_excitation) {
      gates_section(tasks.cued, weighed, picture, figures, claims);
      exchange_section(tasks.cued, weighed, figures, claims);
    }
  }
  cost_section(options, claims);
  heading("What must hold whatever it has learned");
  claim_identities(claims);
  heading("Are the derivatives right?");
  claim_gradients(options.seed(), claims);
  if (!options.quick() && options.broken().empty()) claim_ranges(figures, claims);
  try_next({{"./attend run 09 --break wrong-axis", "a gate for each position in place of each channel"},
            {"./attend check 09", "write squeeze-and-excitation yourself"}});
  return claims.conclude();
}

// A network to compare: with which gates, how many blocks and channels.
struct Candidate {
  std::string name;
  GateKind kind;
  Course course;
};

std::vector<Candidate> candidates() {
  std::vector<Candidate> all;
  for (const GateKind& kind : std::vector<GateKind>{plain,
                                                    excitation,
                                                    {GateKind::squeeze_excitation, 16},
                                                    {GateKind::cbam, 4},
                                                    {GateKind::article, 16},
                                                    {GateKind::eca}}) {
    all.push_back({"cued digits: " + kind.name(), kind, {}});
  }
  Course deeper;
  deeper.blocks = 3;
  all.push_back({"cued digits, 3 blocks: plain", plain, deeper});
  all.push_back({"cued digits, 3 blocks: SE r=4", excitation, deeper});
  return all;
}

// Adds what a candidate is ahead of another with the same seed.
void add_difference(Results& results, std::uint64_t seed, const std::map<std::string, double>& by_name,
                    const std::string& one, const std::string& other) {
  results.add(one + ", less plain, points", seed, 100 * (by_name.at(one) - by_name.at(other)));
}

int all_seeds() {
  check_writable(results_path());
  Claims claims;
  Results results;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    heading(fill("Seed {}", {count(static_cast<Size>(seed))}));
    const Tasks tasks = make_tasks(seed);
    std::map<std::string, double> accuracies;
    for (const Candidate& candidate : candidates()) {
      const Network network = train_and_show(candidate.name, tasks.cued, candidate.kind, candidate.course, seed);
      accuracies[candidate.name] = accuracy(network, tasks.cued.test);
      results.add(candidate.name, seed, accuracies[candidate.name]);
      if (candidate.name != "cued digits: SE r=4") continue;
      Figures figures;
      gates_section(tasks.cued, network, "", figures, claims);
      exchange_section(tasks.cued, network, figures, claims);
      for (const auto& [name, value] : figures) results.add(name, seed, value);
    }
    Course short_course;
    short_course.steps = digit_steps;
    for (const GateKind& kind : {plain, excitation}) {
      const std::string name = "digits alone: " + kind.name();
      accuracies[name] = accuracy(train_and_show(name, tasks.digits, kind, short_course, seed), tasks.digits.test);
      results.add(name, seed, accuracies[name]);
    }
    for (const auto& [name, value] : accuracies) {
      if (name.rfind("cued digits: ", 0) == 0 && name != "cued digits: plain") {
        add_difference(results, seed, accuracies, name, "cued digits: plain");
      }
    }
    add_difference(results, seed, accuracies, "cued digits, 3 blocks: SE r=4", "cued digits, 3 blocks: plain");
    add_difference(results, seed, accuracies, "digits alone: SE r=4", "digits alone: plain");
    claims.at_least("SE r=4 ahead of the plain network",
                    100 * (accuracies.at("cued digits: SE r=4") - accuracies.at("cued digits: plain")), 8, " points");
  }
  results.write(results_path());
  Table table({"figure", "lowest", "mean", "highest"});
  for (const Figure& figure : results.figures()) {
    table.row({figure.name, significant(figure.min, 4), significant(figure.mean, 4), significant(figure.max, 4)});
  }
  heading("Over three seeds");
  table.print();
  return claims.conclude();
}

int chapter(int argc, char** argv) {
  std::string picture;
  Options options("09", "Channel attention",
                  {{"softmax", "gates are a softmax over the channels in place of a sigmoid each",
                    "an open channel then closes others"},
                   {"wrong-axis", "the mean goes over the channels, and each position gets a gate",
                    "what has to be chosen are channels, and both digits lie at the same positions"},
                   {"no-relu", "the bottleneck has no relu", "the score of a gate is then linear in the means"},
                   {"neighbours-gates", "each image is weighed with the gates of another one in its batch",
                    "they follow the other image's cue"},
                   {"max-squeeze", "the maximum over positions in place of the mean", "one pixel is as much as many"}});
  options.file("--picture", picture, "write the mean gates of the first block to this SVG file");
  options.parse(argc, argv);
  set_threads(options.threads());
  if (!picture.empty()) check_writable(picture);
  return options.full() ? all_seeds() : one_seed(options, picture);
}

}  // namespace

int main(int argc, char** argv) { return lesson::run(argc, argv, chapter); }
