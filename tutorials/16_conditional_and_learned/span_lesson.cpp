#include "tutorials/16_conditional_and_learned/span_lesson.hpp"

#include <algorithm>
#include <cmath>

#include "nn/attention/local.hpp"
#include "tutorials/16_conditional_and_learned/span.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter16 {

using namespace lesson;

namespace {

constexpr Size test_sequences = 256;

SpanPlan plan_of(const Options& options) {
  SpanPlan plan;
  if (options.breaks("no-penalty")) plan.penalty = 0;
  if (options.breaks("spans-at-once")) plan.spans_from = 1;
  if (options.breaks("no-ramp")) plan.ramp = 1e-3;
  return plan;
}

// The sequences of the test are others than those of the training.
SequenceBatch unseen(const SequenceTask& task, std::uint64_t seed) {
  Rng rng(seed + 1000);
  return task.draw(test_sequences, rng);
}

// ---- spans over the training --------------------------------------------------------------------------------------

struct Learned {
  Size lag;
  CoreTransformer model;
  std::vector<Spread> course;  // z at every 50th step
};

Learned learn_lag(Size lag, const SpanPlan& plan, std::uint64_t seed) {
  const std::string name = fill("lag {}", {count(lag)});
  Progress progress(name, plan.steps);
  std::vector<Spread> course;
  CoreTransformer model = train_span(lagged_copy(lag), plan, seed, [&](Size step, double loss, const auto& spans) {
    const double z = spans[0];
    if (step % 50 == 0) course.push_back({z, z, z});
    progress.step(step, loss, "z " + fixed(z, 1));
  });
  progress.done();
  return {lag, model, course};
}

void draw_courses(const std::vector<Learned>& all, const SpanPlan& plan, const std::string& picture) {
  Chart chart{"The span that a head learns, by the distance of what it must copy", "step", {}, {}, 0, largest};
  for (Size step = 50; step <= plan.steps; step += 50) chart.places.push_back(count(step));
  for (const Learned& one : all) chart.series.push_back({fill("lag {}", {count(one.lag)}), one.course});
  write_svg(chart, picture);
}

// ---- what they have learned ---------------------------------------------------------------------------------------

struct Row {
  Size lag, farthest, widest_cost, cut_cost;
  double z, right, apart;
};

Row measured(const Learned& learned, const SpanPlan& plan, std::uint64_t seed) {
  const Recording off(false);
  const CoreTransformer cut = cut_to_span(learned.model, plan.ramp);
  const SequenceBatch batch = unseen(lagged_copy(learned.lag), seed);
  const double z = spans_of(learned.model)[0];
  const auto cost = [](const CoreTransformer& model) { return multiplications(model.layers[0].attention.core, 1); };
  return {learned.lag,
          farthest_key(z, plan.ramp),
          cost(learned.model),
          cost(cut),
          z,
          accuracy(cut, batch),
          largest_difference(learned.model(batch.input).value(), cut(batch.input).value())};
}

void table_of(const std::vector<Row>& rows) {
  Table table({"lag", "z", "farthest key", "right", "multiplications", "blocks cut to z", "saved"});
  for (const Row& row : rows) {
    const double saved = 1 - static_cast<double>(row.cut_cost) / static_cast<double>(row.widest_cost);
    table.row({count(row.lag), fixed(row.z, 2), count(row.farthest), percent(row.right), count(row.widest_cost),
               count(row.cut_cost), percent(saved)});
  }
  table.print();
}

void claim_rows(const std::vector<Row>& rows, Claims& claims) {
  double off_lag = 0, right = 1, apart = 0;
  bool reaches = true;
  for (const Row& row : rows) {
    off_lag = std::max(off_lag, std::abs(row.z - static_cast<double>(row.lag)));
    right = std::min(right, row.right);
    apart = std::max(apart, row.apart);
    reaches = reaches && row.farthest == row.lag;
  }
  claims.at_most("learned span and lag: the farthest apart", off_lag, 1);
  claims.holds("the farthest key with a weight is the one that the lag needs", reaches);
  claims.at_least("right, of all lags the least", right, 0.98);
  claims.at_most("scores with blocks cut to z and with the widest: largest difference", apart, 1e-4);
}

NamedFigures windows_beside(Size lag, std::uint64_t seed, Claims& claims) {
  say(fill("\nLag {} with fixed windows, half as many steps:\n", {count(lag)}));
  const SequenceTask task = lagged_copy(lag);
  NamedFigures figures;
  Table table({"window", "right", "multiplications"});
  for (const Size window : {lag / 2, lag, largest}) {
    Rng rng(seed);
    const AttentionCore core = LocalAttention(window, 0);
    CoreTransformer model = one_layer(task, core, 1, rng);
    const double right = train_and_test(model, task, seed, {SpanPlan().steps / 2, 32, 3e-3, test_sequences}).accuracy;
    table.row({count(window), percent(right), count(multiplications(core, 1))});
    figures.push_back({fill("lag {}, window {}: right", {count(lag), count(window)}), right});
  }
  table.print();
  claims.at_most("a window too short: right", figures[0].value, 0.15);
  claims.at_least("a window that is just long enough: right", figures[1].value, 0.98);
  claims.at_least("a window too long: right", figures[2].value, 0.98);
  return figures;
}

// Half of the positions need what is near, and half what is far.
NamedFigures two_lags_beside(std::uint64_t seed, Claims& claims) {
  constexpr Size near = 3, far = 12;
  say(
      fill("\nWhere it does not help: each symbol says whether it needs the one {} or the one {} before. Two heads, {} "
           "steps.\n",
           {count(near), count(far), "1,000"}));
  SpanPlan plan;
  plan.heads = 2;
  plan.steps = 1000;
  plan.spans_from = 700;
  const SequenceTask task = two_lags(near, far);
  const CoreTransformer model = train_span(task, plan, seed);
  const std::vector<double> z = spans_of(model);
  const auto [low, high] = std::minmax(z[0], z[1]);
  const double right = accuracy(model, unseen(task, seed));
  say(fill("z of the heads: {} and {}; right: {}.", {fixed(low, 2), fixed(high, 2), percent(right)}));
  claims.at_least("the wider of both spans, in lags of the farther", high / far, 0.9);
  return {{"two lags: z of the narrower head", low, 1, false},
          {"two lags: z of the wider head", high, 1, false},
          {"two lags: right", right}};
}

}  // namespace

NamedFigures span_section(const Options& options, std::uint64_t seed, const std::string& picture, Claims& claims) {
  heading("How far to look");
  const SpanPlan plan = plan_of(options);
  say(
      fill("One layer, one head, {} positions of {} symbols. The answer is the symbol `lag` positions before. z, the "
           "span, begins at {}; from step {} on each key of it costs {} in the loss. Multiplications: of the attention "
           "of a sequence.\n",
           {count(length), count(symbols), count(largest), count(plan.spans_from), exact(plan.penalty)}));
  const std::vector<Size> lags = options.quick() ? std::vector<Size>{20} : std::vector<Size>{2, 5, 10, 20};
  std::vector<Learned> all;
  std::vector<Row> rows;
  NamedFigures figures;
  for (const Size lag : lags) {
    all.push_back(learn_lag(lag, plan, seed));
    rows.push_back(measured(all.back(), plan, seed));
    figures.push_back({fill("lag {}: z", {count(lag)}), rows.back().z, 0.5, false});
  }
  say("");
  table_of(rows);
  claim_rows(rows, claims);
  if (!picture.empty()) draw_courses(all, plan, picture);
  if (options.quick()) return figures;
  for (const auto& more : {windows_beside(10, seed, claims), two_lags_beside(seed, claims)}) {
    figures.insert(figures.end(), more.begin(), more.end());
  }
  return figures;
}

}  // namespace attend::chapter16
