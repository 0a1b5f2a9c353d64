#include "tutorials/16_conditional_and_learned/reward_lesson.hpp"

#include "tensor/kernels.hpp"
#include "tutorials/16_conditional_and_learned/baselines.hpp"
#include "tutorials/16_conditional_and_learned/glimpse.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter16 {

using namespace lesson;

namespace {

constexpr Size shown_pictures = 3, pictures_of_variance = 100;

// What the lookers are trained on and asked.
struct Course {
  DigitSplit digits;
  LookPlan plan;
  std::uint64_t seed;
};

HiddenDigits test_pictures(const Course& course, Size count, Size grid) {
  Rng rng(course.seed);
  Rng draws = rng.split();
  const HiddenDigits pictures = draw_hidden(course.digits.test, count, grid, draws);
  return course.plan.blind ? without_glance(pictures) : pictures;
}

Looked looked(const Looker& looker, const HiddenDigits& pictures, std::uint64_t seed) {
  Rng rng(seed);
  return look_at(looker, pictures, rng);
}

Looker learn(
    const std::string& name, Look look, const Course& course, const LookPlan& plan,
    const WatchLooker& watch = [](Size, double, const Looker&) {}) {
  Progress progress(name, plan.steps);
  const Looker looker =
      learn_to_look(look, plan, course.digits.training, course.seed, [&](Size step, double loss, const Looker& now) {
        progress.step(step, loss);
        watch(step, loss, now);
      });
  progress.done();
  return looker;
}

void say_beginning() {
  say("The claim: where to look can be learned from nothing but a reward. A digit hides in one of four quarters of a "
      "picture, scraps of other digits in the rest. The network glances at all, four pixels a quarter, chooses one "
      "quarter, and must name the digit by this one glimpse. To choose has no derivative; whether the name was right "
      "is all it is told.");
  shapes({{"picture", {64, 16, 16}, "batch, rows, columns"},
          {"glance", {64, 16}, "the means of 4 × 4 pixels: the query is made of it"},
          {"keys", {64, 1, 4, 32}, "one for each quarter, learned"},
          {"values", {64, 1, 4, 64}, "the quarters, sharp: 8 × 8 pixels"},
          {"glimpse", {64, 1, 1, 64}, "hard: one of them; soft: their weighted mean"}});
}

// Policies during a training, with the number of the step.
struct Stage {
  Size step;
  Looker looker;
};

// The probabilities of the quarters on some pictures, a row for each picture, a column for each stage.
std::vector<std::vector<Overlay>> panels(const std::vector<Stage>& stages, const HiddenDigits& pictures) {
  std::vector<std::vector<Overlay>> rows;
  for (Size i = 0; i < shown_pictures; ++i) {
    const Matrix image(16, 16, slice(pictures.canvas, 0, i, 1).to_vector());
    std::vector<Overlay> of_one;
    for (const Stage& stage : stages) {
      const Tensor p = softmax(stage.looker.policy.scores(slice(pictures.glance, 0, i, 1))).value();
      of_one.push_back({image, Matrix(2, 2, p.to_vector()), "step " + count(stage.step)});
    }
    rows.push_back(of_one);
  }
  return rows;
}

void claim_glimpses(const Looked& random, const Looked& hard, const Looked& soft, Claims& claims) {
  claims.at_least("hard attention, digits named rightly", hard.right, 0.9);
  claims.at_most("a random glimpse", random.right, 0.4);
  claims.at_least("soft attention", soft.right, 0.8);
  claims.at_least("glimpses of hard attention on the digit", hard.on_digit, 0.9);
}

// What hard attention finds after its training, with no baseline and with one, beside random and soft.
NamedFigures glimpse_section(const Course& course, const std::vector<Stage>& stages, bool quick, Claims& claims) {
  const HiddenDigits pictures = test_pictures(course, quick ? 300 : 2000, 2);
  Table table({"looks", "on the digit", "named rightly"});
  NamedFigures figures;
  const auto row = [&](const std::string& name, const Looker& looker) {
    const Looked result = looked(looker, pictures, course.seed);
    table.row({name, percent(result.on_digit), percent(result.right)});
    figures.push_back({name + ", on the digit", result.on_digit});
    figures.push_back({name + ", named rightly", result.right});
    return result;
  };
  LookPlan bare = course.plan;
  bare.with_baseline = false;
  const Looked random = row("at random", learn("at random", Look::random, course, course.plan));
  if (!quick) row("hard, no baseline", learn("hard, no baseline", Look::hard, course, bare));
  const Looked hard = row("hard, mean as baseline", stages.back().looker);
  const Looked soft = row("soft", learn("soft", Look::soft, course, course.plan));
  say("\nSoft: the weight on the digit.\n");
  table.print();
  if (quick) {
    claims.at_least("hard attention, less a random glimpse", hard.right - random.right, 0.1);
  } else {
    claim_glimpses(random, hard, soft, claims);
  }
  return figures;
}

// The exact variances at one stage, in the order of baseline_kinds(), and how far the draws were off: the variances, in
// the exact ones, and the means, in standard errors.
struct Measured {
  std::vector<double> exact;
  double off = 0, errors = 0;
};

// Adds a row to the table.
Measured measure(const Stage& stage, const HiddenDigits& pictures, Size draws, Rng& rng, Table& table) {
  const Tensor scores = cast(stage.looker.policy.scores(pictures.glance), DType::float64).value();
  const Tensor rewards = all_rewards(stage.looker, pictures);
  Measured measured;
  std::vector<std::string> cells = {count(stage.step), fixed(mean_reward(scores, rewards), 3)};
  for (const auto& [name, kind] : baseline_kinds()) {
    const double exact = exact_variance(kind, scores, rewards);
    const Scatter found = scatter(kind, scores, rewards, draws, rng);
    cells.push_back(fixed(exact, 4) + " (" + fixed(found.variance, 4) + ")");
    measured.exact.push_back(exact);
    measured.off = std::max(measured.off, std::abs(found.variance / exact - 1));
    measured.errors = std::max(measured.errors, found.standard_errors);
  }
  table.row(cells);
  return measured;
}

NamedFigures variance_section(const Course& course, const std::vector<Stage>& stages, bool quick, Claims& claims) {
  heading("How much the estimates scatter");
  const Size draws = quick ? 200 : 2000;
  say(fill(
      "The variance of the estimate from one draw, for the scores of {} pictures: exact, by all four quarters, and "
      "in brackets from {} draws of each.\n",
      {count(pictures_of_variance), count(draws)}));
  const HiddenDigits pictures = test_pictures(course, pictures_of_variance, 2);
  Table table({"after steps", "mean reward", "no baseline", "mean", "optimal"});
  Rng rng(course.seed);
  std::vector<Measured> all;
  double off = 0, errors = 0, gain = -1;
  for (const Stage& stage : stages) {
    all.push_back(measure(stage, pictures, draws, rng, table));
    const auto& [exact, off_here, errors_here] = all.back();
    off = std::max(off, off_here);
    errors = std::max(errors, errors_here);
    gain = std::max({gain, exact[2] - exact[0], exact[2] - exact[1]});
  }
  table.print();
  claims.at_most("measured, less exact, in exact: largest", off, quick ? 0.2 : 0.1);
  claims.at_most("mean of the draws, less the exact gradient: largest, in standard errors", errors, 4);
  claims.at_most("what another baseline gains on the optimal one", gain, 1e-15);
  const std::vector<double>&first = all.front().exact, &last = all.back().exact;
  claims.at_most("untrained: the variance with the mean, in that of no baseline", first[1] / first[0], 0.7);
  if (!quick) claims.at_most("at the end: the optimal one, in that of no baseline", last[2] / last[0], 0.5);
  return {{"variance at the end, no baseline", last[0], 0.01, false},
          {"variance at the end, mean", last[1], 0.01, false},
          {"variance at the end, optimal", last[2], 0.01, false},
          {"variance at the end, mean in no baseline", last[1] / last[0], 0.5, false}};
}

// Sixteen places, and so one reward in sixteen at the beginning.
NamedFigures many_places_section(const Course& course, Claims& claims) {
  heading("Sixteen places in the place of four");
  LookPlan plan = course.plan;
  plan.grid = 4;
  const HiddenDigits pictures = test_pictures(course, 2000, plan.grid);
  Table table({"looks", "on the digit", "named rightly"});
  NamedFigures figures;
  for (const auto& [name, look] : std::vector<std::pair<std::string, Look>>{
           {"at random", Look::random}, {"hard", Look::hard}, {"soft", Look::soft}}) {
    const Looked result = looked(learn(name + ", 16 places", look, course, plan), pictures, course.seed);
    table.row({name, percent(result.on_digit), percent(result.right)});
    figures.push_back({name + ", 16 places, named rightly", result.right});
  }
  say("");
  table.print();
  claims.below("16 places: hard attention, named rightly", figures[1].value, 0.6);
  claims.at_least("16 places: soft, less hard", figures[2].value - figures[1].value, 0.1);
  return figures;
}

void gradients_section(const Options& options, Claims& claims) {
  heading("Are the derivatives right?");
  Rng rng(options.seed());
  const Tensor rewards = rng.normal({5}, 0, 1, DType::float64), scores = rng.normal({5}, 0, 1, DType::float64);
  const Tensor chosen = draw(softmax(Var(scores)).value(), rng);
  GradcheckOptions settings;
  settings.seed = options.seed();
  std::vector<GradcheckReport> reports;
  reports.push_back(gradcheck(
      "expected reward", [&](const Vars& x) { return expected_reward(x[0], rewards); }, {scores}, settings));
  reports.push_back(gradcheck(
      "the number of REINFORCE, one draw",
      [&](const Vars& x) {
        return reinforce(slice(log_softmax(x[0]), 0, chosen.to_ints()[0], 1), slice(rewards, 0, chosen.to_ints()[0], 1),
                         0.3);
      },
      {scores}, settings));
  claim_gradients(reports, claims);
}

NamedFigures reward_lesson(const Options& options, std::uint64_t seed, const std::string& picture, Claims& claims) {
  if (!options.full()) say_beginning();
  const bool quick = options.quick();
  Rng rng(seed);
  Course course = {split_for_glimpses(digits8x8(), rng), {}, seed};
  course.plan.steps = quick ? 300 : 2000;
  course.plan.blind = options.breaks("no-glance");
  course.plan.sign = options.breaks("wrong-sign") ? -1 : 1;

  heading("One glimpse");
  std::vector<Stage> stages = {{0, untrained_looker(Look::hard, course.plan, seed)}};
  const Looker last =
      learn("hard, mean as baseline", Look::hard, course, course.plan, [&](Size step, double, const Looker& now) {
        if (step == 50 || step == 200) stages.push_back({step, now});
      });
  stages.push_back({course.plan.steps, last});
  NamedFigures figures = glimpse_section(course, stages, quick, claims);
  const std::vector<std::vector<Overlay>> rows = panels(stages, test_pictures(course, shown_pictures, 2));
  say("\nThe probabilities of the quarters, before and after:\n");
  draw({rows[0].front(), rows[0].back()});
  if (!picture.empty()) write_svg(rows, "Where hard attention looks, during its training", picture);
  if (!options.broken().empty()) return figures;

  for (const NamedFigure& figure : variance_section(course, stages, quick, claims)) figures.push_back(figure);
  if (!quick) {
    for (const NamedFigure& figure : many_places_section(course, claims)) figures.push_back(figure);
  }
  if (!options.full()) gradients_section(options, claims);
  return figures;
}

}  // namespace

Part reward_part() { return {"reward", "results_reward.tsv", {"no-glance", "wrong-sign"}, reward_lesson}; }

}  // namespace attend::chapter16
