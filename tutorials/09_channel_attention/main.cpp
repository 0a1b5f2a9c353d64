// Chapter 09: channel attention. The page is README.md beside this file.
#include <map>

#include "tensor/parallel.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/09_channel_attention/cost_lesson.hpp"
#include "tutorials/09_channel_attention/gates_lesson.hpp"
#include "tutorials/09_channel_attention/identities.hpp"
#include "tutorials/lesson/lesson.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace attend::chapter09;

namespace {

const GateKind plain{GateKind::none}, excitation{GateKind::squeeze_excitation, 4};

std::string results_path() { return std::string(ATTEND_CHAPTER_DIR) + "/results.tsv"; }

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
  say("The cue of 1,000 pairs is turned, and nothing else. At how many of the 64 positions do the last maps of an "
      "untrained network change?\n");
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
  Task digits;  // as they are, without a cue
};

Tasks make_tasks(std::uint64_t seed) {
  Rng rng(seed);
  const Split split = split_digits(digits8x8(), rng);
  return {cued_task(split, rng), plain_task(split)};
}

// Trains the plain network and the one with gates, and gives the latter.
Network learning_section(const CuedTask& task, std::uint64_t seed, Figures& figures, Claims& claims) {
  heading("Learning");
  const Network bare = train_and_show("plain", task, plain, {}, seed);
  const Network weighed = train_and_show(excitation.name(), task, excitation, {}, seed);
  heading("What came out");
  const double without = accuracy(bare, task.test), with = accuracy(weighed, task.test);
  Table table({"1,000 pairs of unseen digits", "named right", "numbers to learn"});
  table.row({"plain", percent(without), count(parameter_count(bare))});
  table.row({excitation.name(), percent(with), count(parameter_count(weighed))});
  table.row({"a digit by chance", percent(0.1), "-"});
  table.print();
  claims.at_least("SE r=4 ahead of the plain network", 100 * (with - without), 15, " points");
  figures.insert(figures.end(), {{"cued digits: plain", without}, {"cued digits: SE r=4", with}});
  return weighed;
}

// Trains a network with broken gates, and compares it with what the page states of the others.
void broken_section(const CuedTask& task, const GateKind& broken, std::uint64_t seed, Claims& claims) {
  heading("Learning");
  const Network network = train_and_show(broken.name(), task, broken, {}, seed);
  heading("What came out");
  const Results stated = Results::read(results_path());
  const Figure &without = stated.at("cued digits: plain"), &with = stated.at("cued digits: SE r=4");
  const double right = accuracy(network, task.test);
  const auto range = [](const Figure& figure) { return percent(figure.min) + " to " + percent(figure.max); };
  Table table({"1,000 pairs of unseen digits", "named right"});
  table.row({"plain, over three seeds", range(without)});
  table.row({"SE r=4, over three seeds", range(with)});
  table.row({broken.name(), percent(right)});
  table.print();
  claims.as_stated(right, with, 0.02);
}

// ---- the whole ----------------------------------------------------------------------------------------------------

void claim_ranges(const Figures& figures, Claims& claims) {
  heading("As the page states");
  say("Each figure, and how far around the range of three seeds it may lie.\n");
  const Results stated = Results::read(results_path());
  for (const auto& [name, value] : figures) claims.as_stated(value, stated.at(name), 0.03);
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
  if (!options.quick() && !options.broken().empty()) {
    broken_section(tasks.cued, gated, options.seed(), claims);
  } else if (!options.quick()) {
    const Network network = learning_section(tasks.cued, options.seed(), figures, claims);
    gates_section(tasks.cued, network, picture, figures, claims);
    exchange_section(tasks.cued, network, figures, claims);
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

using Accuracies = std::map<std::string, double>;

// Trains all candidates with one seed, and the digits alone; the gates of SE r=4 are looked at, too.
Accuracies measure_seed(std::uint64_t seed, Results& results, Claims& claims) {
  const Tasks tasks = make_tasks(seed);
  Accuracies accuracies;
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
  Course shorter;
  shorter.steps = 400;
  for (const GateKind& kind : {plain, excitation}) {
    const std::string name = "digits alone: " + kind.name();
    accuracies[name] = accuracy(train_and_show(name, tasks.digits, kind, shorter, seed), tasks.digits.test);
    results.add(name, seed, accuracies[name]);
  }
  return accuracies;
}

// What each network is ahead of the plain one of its kind, with the same seed.
void add_differences(const Accuracies& accuracies, std::uint64_t seed, Results& results) {
  for (const auto& [name, value] : accuracies) {
    const std::string plain_one = name.substr(0, name.find(": ")) + ": plain";
    if (name == plain_one) continue;
    results.add(name + ", less plain, points", seed, 100 * (value - accuracies.at(plain_one)));
  }
}

int all_seeds() {
  check_writable(results_path());
  Claims claims;
  Results results;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    heading(fill("Seed {}", {count(static_cast<Size>(seed))}));
    const Accuracies accuracies = measure_seed(seed, results, claims);
    add_differences(accuracies, seed, results);
    claims.at_least("SE r=4 ahead of the plain network",
                    100 * (accuracies.at("cued digits: SE r=4") - accuracies.at("cued digits: plain")), 15, " points");
  }
  results.write(results_path());
  heading("Over three seeds");
  Table table({"figure", "lowest", "mean", "highest"});
  for (const Figure& figure : results.figures()) {
    table.row({figure.name, significant(figure.min, 4), significant(figure.mean, 4), significant(figure.max, 4)});
  }
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
